/* SHA-256 (FIPS 180-4) behind SUPERCOP's crypto_hash, and wrong versions of it: what an outside library may be like. */

#include <stdint.h>
#include <string.h>

static uint32_t k[64], initial[8];

/* The first bits of the fractional part of x^(1/n), n = 2 or 3, by bisection in integers. */
static uint32_t fraction(uint64_t x, int n)
{
    uint64_t low = 0, high = (uint64_t)10 << 32;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        unsigned __int128 square = (unsigned __int128)middle * middle;
        int above = n == 2 ? square > (unsigned __int128)x << 64
                           : square * middle > (unsigned __int128)x << 96;
        if (above) high = middle; else low = middle;
    }
    return (uint32_t)low;
}

static void constants(void)
{
    int found = 0;
    for (uint32_t p = 2; found < 64; p++) {
        int prime = 1;
        for (uint32_t d = 2; d * d <= p; d++)
            if (p % d == 0) prime = 0;
        if (!prime) continue;
        if (found < 8) initial[found] = fraction(p, 2);
        k[found++] = fraction(p, 3);
    }
}

static uint32_t ror(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void compress(uint32_t *h, const unsigned char *block)
{
    uint32_t w[64], s[8];
    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | block[4 * t + 1] << 16 | block[4 * t + 2] << 8 | block[4 * t + 3];
    for (int t = 16; t < 64; t++)
        w[t] = (ror(w[t - 2], 17) ^ ror(w[t - 2], 19) ^ w[t - 2] >> 10) + w[t - 7]
             + (ror(w[t - 15], 7) ^ ror(w[t - 15], 18) ^ w[t - 15] >> 3) + w[t - 16];
    memcpy(s, h, sizeof s);
    for (int t = 0; t < 64; t++) {
        uint32_t e = s[4], a = s[0];
        uint32_t t1 = s[7] + (ror(e, 6) ^ ror(e, 11) ^ ror(e, 25)) + ((e & s[5]) ^ (~e & s[6])) + k[t] + w[t];
        uint32_t t2 = (ror(a, 2) ^ ror(a, 13) ^ ror(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++) h[i] += s[i];
}

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    uint32_t h[8];
    unsigned char last[128] = {0};
    unsigned long long rest = inlen % 64, size = rest < 56 ? 64 : 128, i;
    if (!k[0]) constants();
    memcpy(h, initial, sizeof h);
    for (i = 0; i + 64 <= inlen; i += 64) compress(h, in + i);
    memcpy(last, in + i, rest);
    last[rest] = 0x80;
    for (i = 0; i < 8; i++) last[size - 1 - i] = (unsigned char)(inlen * 8 >> 8 * i);
    for (i = 0; i < size; i += 64) compress(h, last + i);
    for (i = 0; i < 32; i++) out[i] = (unsigned char)(h[i / 4] >> (24 - i % 4 * 8));
    return 0;
}

/* One bit at one length. */
int wrong(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    crypto_hash(out, in, inlen);
    if (inlen == 200) out[31] ^= 1;
    return 0;
}

int failing(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    return inlen == 119 ? -1 : crypto_hash(out, in, inlen);
}

int longer(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    memset(out + 32, 0, 3000);
    return crypto_hash(out, in, inlen);
}

int shorter(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    unsigned char whole[32];
    crypto_hash(whole, in, inlen);
    memcpy(out, whole, 20);
    return 0;
}

/* A byte too much, and not where a first call would show it. */
int spilling(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    if (inlen == 77) out[32] ^= 0xff;
    return crypto_hash(out, in, inlen);
}

/* Leaves a mark in the message. */
int scribbling(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    crypto_hash(out, in, inlen);
    if (inlen > 8) ((unsigned char *)in)[8] ^= 1;
    return 0;
}
