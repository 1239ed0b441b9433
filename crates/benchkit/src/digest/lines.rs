//! A message a line.

use std::io::{BufRead, Write};

use super::Trouble;
use super::request::{Ready, hexadecimal};
use crate::verify::unused_bits;

/// Messages that go into one batch, and the bytes of them from which it is full.
const MESSAGES: usize = 1024;
const BYTES: usize = 8 << 20;

/// Calls `each` with every line of the input; what it says is wrong is said with the number of the line.
fn lines(input: &mut impl BufRead, mut each: impl FnMut(&str) -> Result<(), Trouble>) -> Result<(), Trouble> {
    let mut line = Vec::new();
    for number in 1_u64.. {
        line.clear();
        let read = input.read_until(b'\n', &mut line);
        let size = read.map_err(|error| Trouble::Said(format!("cannot read standard input: {error}")))?;
        if size == 0 {
            break;
        }
        if line.pop_if(|last| *last == b'\n').is_some() {
            line.pop_if(|last| *last == b'\r');
        }
        each(&String::from_utf8_lossy(&line)).map_err(|trouble| match trouble {
            Trouble::Said(what) => Trouble::Said(format!("line {number}: {what}")),
            Trouble::Closed => Trouble::Closed,
        })?;
    }
    Ok(())
}

/// `HEX`, or `HEX/BITS`: a message and its length in bits.
fn message(line: &str) -> Result<(Vec<u8>, u64), String> {
    let Some((digits, count)) = line.split_once('/') else {
        let message = hexadecimal(line)?;
        let bits = 8 * message.len() as u64;
        return Ok((message, bits));
    };
    let message = hexadecimal(digits)?;
    let number = Some(count).filter(|count| count.bytes().all(|byte| byte.is_ascii_digit()));
    let bits: u64 = number
        .and_then(|number| number.parse().ok())
        .ok_or_else(|| format!("`{}` is no number of bits", count.escape_default()))?;
    // CAVP writes the empty message as `00` of length 0.
    if bits == 0 && message == [0] {
        return Ok((Vec::new(), 0));
    }
    let given = 8 * message.len() as u64;
    if bits > given {
        return Err(format!("{bits} bits are more than the {given} that are given"));
    }
    if given - bits > 7 {
        return Err(format!("of {given} bits only {bits} are used: leave out the bytes that are not"));
    }
    Ok((message, bits))
}

/// Hashes each line by itself.
pub(super) fn each(ready: &mut Ready<'_>, input: &mut impl BufRead, output: &mut impl Write) -> Result<(), Trouble> {
    let mut digest = vec![0; ready.size];
    lines(input, |line| {
        let (mut message, bits) = message(line)?;
        if bits.is_multiple_of(8) {
            (ready.hasher.hash)(&message, &mut digest);
        } else {
            let (order, call) = match (ready.algorithm.bits, ready.hasher.bits.as_mut()) {
                (Some(order), Some(call)) => (order, call),
                (Some(_), None) => {
                    return Err(Trouble::Said(format!("{} takes whole bytes only", ready.implementation.name())));
                }
                (None, _) => return Err(Trouble::Said(format!("{} takes whole bytes only", ready.algorithm.id))),
            };
            if let Some(last) = message.last_mut() {
                *last &= !unused_bits(order, bits);
            }
            call(&message, bits, &mut digest);
        }
        ready.ran()?;
        writeln!(output, "{}", hex::encode(&digest))?;
        Ok(())
    })
}

/// Hashes many lines a call.
pub(super) fn batch(ready: &mut Ready<'_>, input: &mut impl BufRead, output: &mut impl Write) -> Result<(), Trouble> {
    if ready.hasher.batch.is_none() {
        return Err(Trouble::Said(format!("{} has no call for many messages", ready.implementation.name())));
    }
    let mut waiting: Vec<Vec<u8>> = Vec::new();
    let mut bytes = 0;
    let read = lines(input, |line| {
        let (message, bits) = message(line)?;
        if !bits.is_multiple_of(8) {
            return Err(Trouble::Said("--batch takes whole bytes only".to_owned()));
        }
        bytes += message.len();
        waiting.push(message);
        if waiting.len() == MESSAGES || bytes >= BYTES {
            flush(ready, &mut waiting, output)?;
            bytes = 0;
        }
        Ok(())
    });
    // A wrong line takes away nothing from those before it.
    if !matches!(read, Err(Trouble::Closed)) {
        flush(ready, &mut waiting, output)?;
    }
    read
}

/// Hashes the waiting messages and writes their digests.
fn flush(ready: &mut Ready<'_>, waiting: &mut Vec<Vec<u8>>, output: &mut impl Write) -> Result<(), Trouble> {
    if waiting.is_empty() {
        return Ok(());
    }
    let batch = ready.hasher.batch.as_mut().expect("refused before if there is none");
    let messages: Vec<&[u8]> = waiting.iter().map(Vec::as_slice).collect();
    let mut digests = vec![0; ready.size * messages.len()];
    (batch.call)(&messages, &mut digests);
    ready.ran()?;
    for digest in digests.chunks_exact(ready.size) {
        writeln!(output, "{}", hex::encode(digest))?;
    }
    waiting.clear();
    Ok(())
}
