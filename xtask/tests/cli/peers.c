/* Functions of the shape of SUPERCOP's crypto_hash, for the toy hash: the sum of the bytes. */
#include <stdlib.h>

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen) {
    unsigned char sum = 0;
    while (inlen--) sum += *in++;
    *out = sum;
    return 0;
}

int wrong(unsigned char *out, const unsigned char *in, unsigned long long inlen) {
    crypto_hash(out, in, inlen);
    *out += 1;
    return 0;
}

int crashing(unsigned char *out, const unsigned char *in, unsigned long long inlen) { abort(); }

/* Passes the check, which hashes little, and not the measurement. */
int later(unsigned char *out, const unsigned char *in, unsigned long long inlen) {
    if (inlen > 50) abort();
    return crypto_hash(out, in, inlen);
}

#ifdef CRASH
__attribute__((constructor)) static void crash(void) { abort(); }
#endif
