use super::*;

/// Files by path.
struct Files(BTreeMap<&'static str, &'static str>);

impl Source for Files {
    fn text(&self, path: &str) -> Option<String> {
        self.0.get(path).map(|text| (*text).to_owned())
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let folder = format!("{folder}/");
        let inside = self.0.keys().filter_map(|path| path.strip_prefix(folder.as_str()));
        let names: BTreeSet<String> =
            inside.map(|rest| rest.split('/').next().unwrap_or_default().to_owned()).collect();
        names.into_iter().collect()
    }
}

const LAPTOP: &[(&str, &str)] = &[
    (
        "/proc/cpuinfo",
        "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 142\n\
         model name\t: Intel(R) Core(TM) i7-8550U CPU @ 1.80GHz\nstepping\t: 10\nmicrocode\t: 0xf6\n\
         cpu MHz\t\t: 799.987\nflags\t\t: fpu tsc constant_tsc nonstop_tsc avx2\n\n\
         processor\t: 1\nvendor_id\t: GenuineIntel\nmodel\t\t: 143\n",
    ),
    ("/proc/cmdline", "root=UUID=secret ip=10.0.0.7 isolcpus=2,3 mitigations=off intel_pstate=active quiet -- nosmt\n"),
    ("/proc/sys/kernel/osrelease", "6.8.0-45-generic\n"),
    ("/proc/sys/kernel/perf_event_paranoid", "4\n"),
    ("/proc/sys/kernel/hostname", "ada\n"),
    ("/etc/machine-id", "0123456789abcdef0123456789abcdef\n"),
    ("/proc/loadavg", "1.25 0.50 0.10 2/1200 4711\n"),
    ("/proc/stat", "cpu  1 2 3 4 5 6 7 8 9 10\ncpu0 1 2 3 4 5 6 7 4 9 10\n"),
    ("/proc/meminfo", "MemTotal:       16000000 kB\nMemFree: 5 kB\n"),
    ("/sys/bus/event_source/devices/cpu/type", "4\n"),
    ("/sys/bus/event_source/devices/software/type", "1\n"),
    ("/sys/devices/system/clocksource/clocksource0/available_clocksource", "tsc hpet acpi_pm\n"),
    ("/sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n"),
    ("/sys/devices/system/cpu/online", "0-7\n"),
    ("/sys/devices/system/cpu/isolated", "2-3\n"),
    ("/sys/devices/system/cpu/smt/active", "1\n"),
    ("/sys/devices/system/cpu/intel_pstate/no_turbo", "0\n"),
    ("/sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "powersave\n"),
    ("/sys/devices/system/cpu/cpufreq/policy0/scaling_driver", "intel_pstate\n"),
    ("/sys/devices/system/cpu/cpufreq/policy1/scaling_governor", "performance\n"),
    ("/sys/devices/system/cpu/cpufreq/policy1/scaling_driver", "intel_pstate\n"),
    ("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_min_freq", "400000\n"),
    ("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "4000000\n"),
    ("/sys/devices/system/cpu/cpu0/cpufreq/base_frequency", "1800000\n"),
    ("/sys/devices/system/cpu/cpu0/cache/index0/level", "1\n"),
    ("/sys/devices/system/cpu/cpu0/cache/index0/type", "Data\n"),
    ("/sys/devices/system/cpu/cpu0/cache/index0/size", "32K\n"),
    ("/sys/devices/system/cpu/cpu0/cache/index0/shared_cpu_list", "0,4\n"),
    ("/sys/devices/system/cpu/cpu0/cache/index3/level", "3\n"),
    ("/sys/devices/system/cpu/cpu0/cache/index3/type", "Unified\n"),
    ("/sys/devices/system/cpu/cpu0/cache/index3/size", "8M\n"),
    ("/sys/devices/system/cpu/vulnerabilities/meltdown", "Mitigation: PTI\n"),
    ("/sys/devices/system/cpu/vulnerabilities/mds", "Vulnerable\n"),
    ("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"),
];

/// The laptop with some of its files replaced; an empty text takes the file away.
fn laptop(changes: &[(&'static str, &'static str)]) -> Machine {
    let mut files: BTreeMap<_, _> = LAPTOP.iter().copied().collect();
    files.extend(changes.iter().copied());
    files.retain(|_, text| !text.is_empty());
    Machine::from(&Files(files))
}

#[test]
fn reads_an_intel_laptop() {
    let machine = laptop(&[]);
    assert_eq!(machine.slug, "intel-core-i7-8550u-6-142-10");
    assert_eq!(machine.brand, "Intel(R) Core(TM) i7-8550U CPU @ 1.80GHz");
    assert_eq!(machine.vendor.as_deref(), Some("GenuineIntel"));
    assert_eq!((machine.family, machine.model, machine.stepping), (Some(6), Some(142), Some(10)));
    assert_eq!(machine.microcode.as_deref(), Some("0xf6"));
    assert_eq!(machine.features, ["fpu", "tsc", "constant_tsc", "nonstop_tsc", "avx2"]);
    assert_eq!(machine.kernel.as_deref(), Some("6.8.0-45-generic"));
    assert_eq!(machine.hypervisor, None);
    assert_eq!((machine.cpus, machine.smt, machine.isolated), (Some(8), Some(true), vec![2, 3]));
    assert_eq!(machine.caches.len(), 2);
    assert_eq!(machine.caches[0], Cache { level: 1, kind: "Data".into(), bytes: 32 << 10, cpus: vec![0, 4] });
    assert_eq!(machine.caches[1], Cache { level: 3, kind: "Unified".into(), bytes: 8 << 20, cpus: vec![] });
    assert_eq!(machine.memory, Some(16_000_000 * 1024));
    assert_eq!(machine.huge_pages.as_deref(), Some("madvise"));
    assert_eq!(machine.governor.as_deref(), Some("performance, powersave"));
    assert_eq!(machine.driver.as_deref(), Some("intel_pstate"));
    assert_eq!(machine.boost, Some(true));
    let frequency = Frequency { min: Some(400_000), max: Some(4_000_000), base: Some(1_800_000), now: Some(799_987) };
    assert_eq!(machine.frequency, frequency);
    assert_eq!(machine.mitigations["meltdown"], "Mitigation: PTI");
    assert_eq!(machine.mitigations.len(), 2);
    assert_eq!(machine.clocksource.as_deref(), Some("hpet"));
    assert_eq!((machine.counters, machine.perf_event_paranoid), (Some(true), Some(4)));
    assert_eq!((machine.load, machine.steal), (Some([1.25, 0.5, 0.1]), Some(8)));
}

#[test]
fn nothing_names_the_host() {
    let machine = laptop(&[]);
    assert_eq!(machine.kernel_parameters, ["isolcpus=2,3", "mitigations=off", "intel_pstate=active"]);
    let json = serde_json::to_string(&machine).unwrap();
    for secret in ["secret", "10.0.0.7", "\"ada", "0123456789abcdef0123456789abcdef"] {
        assert!(!json.contains(secret), "{json} contains {secret}");
    }
}

#[test]
fn hosts_are_told_apart() {
    let id = |changes| laptop(changes).id;
    let this = id(&[]);
    assert_eq!(this.as_ref().map(String::len), Some(16));
    assert_eq!(this, id(&[("/proc/loadavg", "")]));
    assert_ne!(this, id(&[("/proc/sys/kernel/hostname", "bob\n")]));
    assert_ne!(this, id(&[("/etc/machine-id", "1123456789abcdef0123456789abcdef\n")]));
    assert_eq!(id(&[("/proc/sys/kernel/hostname", ""), ("/etc/machine-id", "")]), None);
}

#[test]
fn a_system_that_tells_nothing_is_still_a_machine() {
    let machine = Machine::from(&Files(BTreeMap::new()));
    assert_eq!(machine.brand, std::env::consts::ARCH);
    assert!(!machine.slug.is_empty());
    assert_eq!((machine.id.as_ref(), machine.counters, machine.load), (None, None, None));
    assert_eq!(machine.warnings(), []);
}

#[test]
fn reads_an_arm_board() {
    let cpuinfo = "processor\t: 0\nBogoMIPS\t: 108.00\nFeatures\t: fp asimd sha2\nCPU implementer\t: 0x41\n\
                   CPU architecture: 8\nCPU variant\t: 0x0\nCPU part\t: 0xd08\nCPU revision\t: 3\n";
    let machine = Machine::from(&Files(BTreeMap::from([("/proc/cpuinfo", cpuinfo)])));
    assert_eq!((machine.model, machine.stepping), (Some(0xd08), Some(3)));
    assert_eq!(machine.brand, format!("{} 0x41 0xd08", std::env::consts::ARCH));
    assert_eq!(machine.features, ["fp", "asimd", "sha2"]);
    let board = [("/proc/cpuinfo", cpuinfo), ("/proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0")];
    let machine = Machine::from(&Files(BTreeMap::from(board)));
    assert_eq!(machine.brand, "Raspberry Pi 4 Model B Rev 1.4");
    assert_eq!(machine.slug, "raspberry-pi-4-model-b-rev-1-4-3336-3");
}

#[test]
fn slugs_keep_letters_digits_and_hyphens() {
    let cases = [
        ("AMD Ryzen 7 5800X 8-Core Processor", [Some(25), Some(33), Some(0)], "amd-ryzen-7-5800x-8-core-25-33-0"),
        ("Intel(R) Xeon(R) Gold 6130 CPU @ 2.10GHz", [Some(6), Some(85), Some(4)], "intel-xeon-gold-6130-6-85-4"),
        ("AMD EPYC", [Some(25), None, Some(1)], "amd-epyc-25-1"),
        ("", [None; 3], "unknown"),
        ("../ü\n", [None; 3], "unknown"),
    ];
    for (brand, numbers, expected) in cases {
        assert_eq!(slug(brand, &numbers), expected);
    }
}

#[test]
fn lists_and_sizes() {
    assert_eq!(cpu_list("0-2,5,8-9\n"), [0, 1, 2, 5, 8, 9]);
    assert_eq!(cpu_list(""), [0; 0]);
    assert_eq!(cpu_list("x,3-,4"), [4]);
    assert!(cpu_list("0-18446744073709551615").len() < 100_000);
    assert_eq!([size("512K"), size("32M"), size("7"), size("K")], [Some(512 << 10), Some(32 << 20), Some(7), None]);
}

#[test]
fn hypervisors_by_their_signs() {
    let clocks = "/sys/devices/system/clocksource/clocksource0/available_clocksource";
    let guest = |changes: &[(&'static str, &'static str)]| laptop(changes).hypervisor;
    assert_eq!(guest(&[(clocks, "tsc kvm-clock\n")]).as_deref(), Some("kvm"));
    assert_eq!(guest(&[("/sys/hypervisor/type", "xen\n")]).as_deref(), Some("xen"));
    assert_eq!(guest(&[("/sys/class/dmi/id/sys_vendor", "VMware, Inc.\n")]).as_deref(), Some("vmware"));
    assert_eq!(guest(&[("/proc/cpuinfo", "processor: 0\nflags: fpu hypervisor\n")]).as_deref(), Some("unknown"));
}

/// Whether a warning says so.
fn warned(machine: &Machine, about: &str) -> bool {
    machine.warnings().iter().any(|warning| warning.what.contains(about) && !warning.remedy.is_empty())
}

#[test]
fn each_fault_has_its_warning_and_a_quiet_machine_none() {
    let faulty = laptop(&[]);
    let mut about = vec!["the load is 1.25", "governor is performance, powersave", "boost is on", "SMT is on"];
    about.push("perf_event_paranoid is 4");
    if cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        about.push("keeps time by hpet");
    }
    assert_eq!(faulty.warnings().len(), about.len(), "{:?}", faulty.warnings());
    for about in about {
        assert!(warned(&faulty, about), "{about}: {:?}", faulty.warnings());
    }
    assert!(faulty.warnings()[2].remedy.contains("no_turbo"));
    let quiet = laptop(&[
        ("/proc/loadavg", "0.50 0.50 0.10 2/1200 4711\n"),
        ("/sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "performance\n"),
        ("/sys/devices/system/cpu/intel_pstate/no_turbo", "1\n"),
        ("/sys/devices/system/cpu/smt/active", "0\n"),
        ("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n"),
        ("/proc/sys/kernel/perf_event_paranoid", "2\n"),
    ]);
    assert_eq!(quiet.warnings(), []);
}

#[test]
fn a_full_machine_or_an_unsteady_counter_blocks() {
    let blocking = |changes: &[(&'static str, &'static str)]| {
        let warnings = laptop(changes).warnings();
        warnings.into_iter().filter(|warning| warning.blocking).map(|warning| warning.what).collect::<Vec<_>>()
    };
    assert_eq!(blocking(&[]), [""; 0]);
    assert_eq!(blocking(&[("/proc/loadavg", "7.50 0.50 0.10 2/1200 4711\n")]), [""; 0]);
    let full = blocking(&[("/proc/loadavg", "7.51 0.50 0.10 2/1200 4711\n")]);
    assert!(full.len() == 1 && full[0].contains("the load is 7.51"), "{full:?}");
    if cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        let cpu = "processor: 0\nflags: fpu tsc constant_tsc\n";
        assert_eq!(blocking(&[("/proc/cpuinfo", cpu)]), [""; 0], "cycles are counted there");
        let guest = ("/sys/bus/event_source/devices/cpu/type", "");
        let unsteady = blocking(&[("/proc/cpuinfo", cpu), guest]);
        assert!(unsteady.len() == 1 && unsteady[0].contains("lacks nonstop_tsc"), "{unsteady:?}");
    }
}

#[test]
fn a_guest_without_counters_is_told_so() {
    let guest = laptop(&[
        ("/sys/hypervisor/type", "xen\n"),
        ("/sys/bus/event_source/devices/cpu/type", ""),
        ("/sys/devices/system/clocksource/clocksource0/current_clocksource", "xen\n"),
    ]);
    assert!(warned(&guest, "no cycle counter") && warned(&guest, "a guest (xen)"), "{:?}", guest.warnings());
    // What cannot be used anyway is not forbidden, and the guest's clock is not its counter.
    assert!(!warned(&guest, "paranoid") && !warned(&guest, "keeps time by"));
}

#[test]
fn records_of_before_can_be_read() {
    let machine: Machine = serde_json::from_str(r#"{"slug":"a","brand":"b"}"#).unwrap();
    assert_eq!((machine.slug.as_str(), machine.load), ("a", None));
    let machine = laptop(&[]);
    let json = serde_json::to_string(&machine).unwrap();
    assert_eq!(serde_json::from_str::<Machine>(&json).unwrap(), machine);
}

#[test]
fn this_machine_has_a_name() {
    let machine = Machine::read();
    assert!(!machine.slug.is_empty() && !machine.brand.is_empty());
    assert!(machine.slug.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'), "{}", machine.slug);
    if cfg!(target_os = "linux") {
        assert!(machine.kernel.is_some() && machine.memory.is_some_and(|bytes| bytes > 0) && machine.load.is_some());
    }
}
