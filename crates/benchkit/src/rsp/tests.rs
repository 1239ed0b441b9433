use super::*;

const GOOD: &str = "# c\n[L = 4]\n\nLen = 0\nMsg = 00\nMD = 01020304\n\nLen = 11\nMsg = Ab60\nMD = 0a0b0c0d\n\n\
                    Len = 2016\nMsg = @mod251\nMD = 00000000\nLen = 16\nMsg = @ff\nMD = 00000001\n";

fn wrong(text: &str) -> String {
    read("x.rsp", text).expect_err("it is wrong").to_string()
}

#[test]
fn reads_entries() {
    let items = read("x.rsp", GOOD).unwrap();
    let answers: Vec<_> = items
        .into_iter()
        .map(|item| match item {
            Item::Answer(answer) => answer,
            Item::Monte(_) => panic!("there is none"),
        })
        .collect();
    let lines: Vec<_> = answers.iter().map(|answer| (answer.line, answer.bits, answer.message.len())).collect();
    assert_eq!(lines, [(4, 0, 0), (8, 11, 2), (12, 2016, 252), (15, 16, 2)]);
    assert_eq!(answers[1].message, [0xab, 0x60]);
    assert_eq!(answers[1].digest, [10, 11, 12, 13]);
    assert_eq!(answers[2].message[248..], [248, 249, 250, 0]);
    assert_eq!(answers[3].message, [0xff, 0xff]);
    assert!(answers.iter().all(|answer| answer.parameters == Parameters::default()));
}

#[test]
fn ends_of_line_make_no_difference() {
    assert_eq!(read("x.rsp", GOOD), read("x.rsp", &GOOD.replace('\n', "\r\n")));
    assert_eq!(read("x.rsp", GOOD), read("x.rsp", GOOD.trim_end()));
}

#[test]
fn reads_other_inputs() {
    let text = "[Outputlen = 16]\nLen = 8\nMsg = 61\nKey = 0001\nSalt =\nPersonalization = 02\nCustomization = 03\n\
                Output = beef\n\nLen = 8\nMsg = 61\nOutputlen = 24\nMD = beef00\n";
    let items = read("x.rsp", text).unwrap();
    let [Item::Answer(first), Item::Answer(second)] = &items[..] else { panic!("two answers: {items:?}") };
    let parameters = Parameters {
        output_length: Some(2),
        key: Some(vec![0, 1]),
        salt: Some(vec![]),
        personalization: Some(vec![2]),
        customization: Some(vec![3]),
    };
    assert_eq!(first.parameters, parameters);
    assert_eq!(second.parameters, Parameters { output_length: Some(3), ..Parameters::default() });
}

#[test]
fn reads_monte_carlo() {
    let text = "[L = 2]\nSeed = 0102\n\nCOUNT = 0\nMD = 0304\n\n# c\nCOUNT = 1\nMD = 0506\n\nLen = 0\nMsg =\nMD = 0708\n\
                [Monte = 1]\nSeed = 0102\nCOUNT = 0\nMD = 0304";
    let items = read("x.rsp", text).unwrap();
    let [Item::Monte(first), Item::Answer(answer), Item::Monte(second)] = &items[..] else { panic!("{items:?}") };
    let steps = vec![(5, vec![3, 4]), (9, vec![5, 6])];
    assert_eq!(*first, Monte { line: 2, seed: vec![1, 2], digests_a_message: 3, steps });
    assert_eq!((answer.line, answer.bits), (11, 0));
    assert_eq!((second.digests_a_message, second.steps.len()), (1, 1));
}

/// The chain is checked by a function whose thousandfold is known: it adds one to the middle digest.
#[test]
fn monte_carlo_takes_the_last_three_digests() {
    let add = |message: &[u8], digest: &mut [u8]| {
        let number = u16::from_be_bytes([message[2], message[3]]) + 1;
        digest.copy_from_slice(&number.to_be_bytes());
    };
    // Every digest is that before the last plus one, so 1,000 of them add 500.
    let good = [(7, 500_u16.to_be_bytes().to_vec()), (9, 1000_u16.to_be_bytes().to_vec())];
    let mut monte = Monte { line: 1, seed: vec![0, 0], digests_a_message: 3, steps: good.to_vec() };
    assert_eq!(monte.run(add), Ok(()));
    monte.steps[1].1[1] ^= 1;
    let failure = monte.run(add).unwrap_err();
    assert_eq!((failure.line, &failure.computed, failure.expected[1] ^ 1), (9, &good[1].1, good[1].1[1]));
}

#[test]
fn malformed_entries_are_named_with_their_line() {
    let cases = [
        ("[L = 1]\nLen = 8\nMsg = 6\nMD = 00\n", "x.rsp, line 3: Msg has an odd number of hexadecimal digits"),
        ("[L = 1]\nLen = 8\nMsg = 6g\nMD = 00\n", "x.rsp, line 3: Msg: `g` at place 2 is no hexadecimal digit"),
        ("[L = 1]\nLen = 8\nMsg = 6161\nMD = 00\n", "x.rsp, line 3: Msg has 2 bytes, but Len is 8 bits"),
        ("[L = 1]\nLen = 9\nMsg = 61\nMD = 00\n", "x.rsp, line 3: Msg has 1 bytes, but Len is 9 bits"),
        ("[L = 1]\nLen = 0\nMsg = 61\nMD = 00\n", "x.rsp, line 3: Msg has 1 bytes, but Len is 0 bits"),
        ("[L = 1]\nLen = 8\nMsg = 61\nMD = 0000\n", "x.rsp, line 4: MD has 2 bytes, not 1"),
        ("[L = 1]\nLen = 8\nMsg = 61\nMD =\n", "x.rsp, line 4: MD has 0 bytes, not 1"),
        ("Len = 8\nMsg = 61\nMD = 00\n", "x.rsp, line 3: no [L = bytes] before the first MD"),
        ("[L = 1]\nLen = +8\nMsg = 61\nMD = 00\n", "x.rsp, line 2: Len: `+8` is no number"),
        ("[L = 1]\nLen =\nMsg = 61\nMD = 00\n", "x.rsp, line 2: Len: `` is no number"),
        ("[L = 1]\nMsg = 61\nMD = 00\n", "x.rsp, line 2: this entry has no Len"),
        ("[L = 1]\nLen = 8\nMD = 00\n", "x.rsp, line 2: this entry has no Msg"),
        ("[L = 1]\nLen = 8\nMsg = 61\n", "x.rsp, line 2: this entry has no MD"),
        ("[L = 1]\nLen = 8\nMsg = 61\n\nMD = 00\n", "x.rsp, line 2: this entry has no MD"),
        ("[L = 1]\nLen = 8\n[L = 2]\nMsg = 61\nMD = 00\n", "x.rsp, line 2: this entry has no MD"),
        ("[L = 1]\nLen = 8\nLen = 8\nMsg = 61\nMD = 00\n", "x.rsp, line 3: a second Len in one entry"),
        ("[L = 1]\nLen = 8\nMsg = 61\nKei = 61\nMD = 00\n", "x.rsp, line 4: Kei is unknown in an entry"),
        ("[L = 1]\njunk\n", "x.rsp, line 2: `junk` is no `name = value`"),
        ("[L = 1]\n = 5\n", "x.rsp, line 2: `` is no name"),
        ("[L = 1\n", "x.rsp, line 1: a bracket is not closed"),
        ("[M = 1]\n", "x.rsp, line 1: [M] is unknown; there are [L], [Outputlen] and [Monte]"),
        ("[Outputlen = 9]\n", "x.rsp, line 1: Outputlen = 9 is no multiple of 8"),
        ("[Monte = 4]\n", "x.rsp, line 1: [Monte = 4]: a message is 1 to 3 digests"),
        (
            "[L = 1]\nLen = 9\nMsg = @00\nMD = 00\n",
            "x.rsp, line 3: a pattern needs whole bytes, at most 67108864; Len is 9 bits",
        ),
        (
            "[L = 1]\nLen = 8\nMsg = @mod25\nMD = 00\n",
            "x.rsp, line 3: `@mod25` is no pattern; there are @mod251 and @ with two digits",
        ),
        ("", "x.rsp, line 1: the file holds no known answer"),
        ("# only\n# this\n", "x.rsp, line 2: the file holds no known answer"),
    ];
    for (text, message) in cases {
        assert_eq!(wrong(text), message, "{text:?}");
    }
}

#[test]
fn malformed_monte_carlo_is_named_with_its_line() {
    let cases = [
        ("[L = 1]\nSeed = 0102\n", "x.rsp, line 2: Seed has 2 bytes, which is not [L]"),
        ("[L = 1]\nSeed = 01\n", "x.rsp, line 2: this Seed has no COUNT"),
        ("[L = 1]\nSeed = 01\nCOUNT = 1\nMD = 00\n", "x.rsp, line 3: COUNT = 1 where 0 is due"),
        ("[L = 1]\nSeed = 01\nCOUNT = 0\n", "x.rsp, line 3: this COUNT has no MD"),
        ("[L = 1]\nSeed = 01\nCOUNT = 0\nCOUNT = 1\n", "x.rsp, line 4: COUNT where the MD of a COUNT is due"),
        ("[L = 1]\nSeed = 01\nMD = 00\n", "x.rsp, line 3: an MD without its COUNT"),
    ];
    for (text, message) in cases {
        assert_eq!(wrong(text), message, "{text:?}");
    }
}

#[test]
fn the_reader_ends_after_an_error() {
    let mut reader = Reader::new("x.rsp", "junk\n[L = 1]\nLen = 0\nMsg =\nMD = 00\n");
    assert!(reader.next().unwrap().is_err());
    assert!(reader.next().is_none());
}
