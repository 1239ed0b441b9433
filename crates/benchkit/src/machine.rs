//! What machine this is, and what is wrong with it for measuring.
//!
//! Everything is read from files of the system (Linux); what a system does not tell stays empty. Nothing in it names the
//! host or its users: records are made to be published.

mod source;
mod warnings;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use self::source::{Source, System};
pub use self::warnings::Warning;

/// Facts about the machine, as far as it tells.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Machine {
    /// Short name for folders: brand, family, model, stepping; letters, digits and hyphens.
    pub slug: String,
    /// Brand string of the CPU.
    pub brand: String,
    /// Tells two hosts apart without naming them: SHA-256, shortened, of what the system calls itself.
    pub id: Option<String>,
    /// Instruction set: `x86_64`.
    pub architecture: String,
    /// Operating system: `linux`.
    pub system: String,
    /// Version of its kernel.
    pub kernel: Option<String>,
    /// Those of the kernel's parameters that bear on time.
    pub kernel_parameters: Vec<String>,
    /// Who made the CPU.
    pub vendor: Option<String>,
    /// CPU family.
    pub family: Option<u32>,
    /// Model in the family.
    pub model: Option<u32>,
    /// Stepping of the model.
    pub stepping: Option<u32>,
    /// Microcode in use.
    pub microcode: Option<String>,
    /// CPU features, as the system names them.
    pub features: Vec<String>,
    /// What the machine is a guest of: `kvm`, `unknown`; `None`: no sign of a hypervisor.
    pub hypervisor: Option<String>,
    /// CPUs in use.
    pub cpus: Option<usize>,
    /// Whether two of them share a core.
    pub smt: Option<bool>,
    /// CPUs that the scheduler leaves alone.
    pub isolated: Vec<usize>,
    /// Caches of the first CPU.
    pub caches: Vec<Cache>,
    /// Bytes of memory.
    pub memory: Option<u64>,
    /// When a page of the memory is a huge one: `always`, `madvise`, `never`.
    pub huge_pages: Option<String>,
    /// Who decides about the frequency; several names if the CPUs differ.
    pub governor: Option<String>,
    /// Who sets it.
    pub driver: Option<String>,
    /// Whether it may go beyond the nominal one for a while.
    pub boost: Option<bool>,
    /// Frequencies in kHz.
    pub frequency: Frequency,
    /// What the kernel does about each weakness of the CPU.
    pub mitigations: BTreeMap<String, String>,
    /// The clock that the kernel keeps time by.
    pub clocksource: Option<String>,
    /// Whether the kernel has found counters of the CPU.
    pub counters: Option<bool>,
    /// `kernel.perf_event_paranoid`: above 2, no counter may be had.
    pub perf_event_paranoid: Option<i32>,
    /// Processes that ran or wanted to, on average over 1, 5 and 15 minutes.
    pub load: Option<[f64; 3]>,
    /// Time that a hypervisor gave to others since the start, in clock ticks over all CPUs.
    pub steal: Option<u64>,
}

/// One cache.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cache {
    /// 1 is nearest to the core.
    pub level: u32,
    /// `Data`, `Instruction`, `Unified`.
    pub kind: String,
    /// Size.
    pub bytes: u64,
    /// CPUs that share it.
    pub cpus: Vec<usize>,
}

/// Frequencies in kHz: of the first CPU, at the time of reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Frequency {
    /// The lowest.
    pub min: Option<u64>,
    /// The highest.
    pub max: Option<u64>,
    /// The nominal one.
    pub base: Option<u64>,
    /// What the system believes it to be now.
    pub now: Option<u64>,
}

const CPU: &str = "/sys/devices/system/cpu";

impl Machine {
    /// Reads what this machine tells about itself. Never fails: what is not told is empty.
    pub fn read() -> Self {
        Self::from(&System)
    }

    fn from(source: &dyn Source) -> Self {
        let cpuinfo = source.text("/proc/cpuinfo").unwrap_or_default();
        let info = first_processor(&cpuinfo);
        let field = |names: &[&str]| names.iter().find_map(|name| info.get(*name).map(|value| (*value).to_owned()));
        let number = |names: &[&str]| field(names).and_then(|value| whole_number(&value));
        let line = |path: &str| source.text(path).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let architecture = std::env::consts::ARCH.to_owned();
        let vendor = field(&["vendor_id", "CPU implementer", "vendor"]);
        let model = number(&["model", "CPU part"]);
        let brand = field(&["model name", "cpu model", "cpu", "uarch"])
            .or_else(|| line("/proc/device-tree/model").map(|model| model.trim_end_matches('\0').to_owned()))
            .or_else(|| Some(format!("{architecture} {} {:#x}", vendor.as_ref()?, model?)))
            .unwrap_or_else(|| architecture.clone());
        let (family, stepping) = (number(&["cpu family"]), number(&["stepping", "CPU revision"]));
        let features: Vec<String> = field(&["flags", "Features", "isa"])
            .map(|flags| flags.split_ascii_whitespace().map(str::to_owned).collect())
            .unwrap_or_default();
        Self {
            slug: slug(&brand, &[family, model, stepping]),
            brand,
            id: id(source),
            architecture,
            system: std::env::consts::OS.to_owned(),
            kernel: line("/proc/sys/kernel/osrelease"),
            kernel_parameters: line("/proc/cmdline").map(|text| telling(&text)).unwrap_or_default(),
            vendor,
            family,
            model,
            stepping,
            microcode: field(&["microcode"]),
            hypervisor: hypervisor(source, &features),
            features,
            cpus: line(&format!("{CPU}/online"))
                .map(|list| cpu_list(&list).len())
                .filter(|&cpus| cpus > 0)
                .or_else(|| std::thread::available_parallelism().ok().map(usize::from)),
            smt: line(&format!("{CPU}/smt/active")).and_then(|text| switch(&text)),
            isolated: line(&format!("{CPU}/isolated")).map(|list| cpu_list(&list)).unwrap_or_default(),
            caches: caches(source),
            memory: source.text("/proc/meminfo").and_then(|text| memory(&text)),
            huge_pages: line("/sys/kernel/mm/transparent_hugepage/enabled").and_then(|text| chosen(&text)),
            governor: of_all_policies(source, "scaling_governor"),
            driver: of_all_policies(source, "scaling_driver"),
            boost: line(&format!("{CPU}/intel_pstate/no_turbo"))
                .and_then(|text| switch(&text).map(|off| !off))
                .or_else(|| line(&format!("{CPU}/cpufreq/boost")).and_then(|text| switch(&text))),
            frequency: frequency(source, field(&["cpu MHz"])),
            mitigations: source
                .names(&format!("{CPU}/vulnerabilities"))
                .into_iter()
                .filter_map(|name| line(&format!("{CPU}/vulnerabilities/{name}")).map(|text| (name, text)))
                .collect(),
            clocksource: line("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
            counters: counters(source),
            perf_event_paranoid: line("/proc/sys/kernel/perf_event_paranoid").and_then(|text| text.parse().ok()),
            load: line("/proc/loadavg").and_then(|text| load(&text)),
            steal: source.text("/proc/stat").and_then(|text| steal(&text)),
        }
    }

    /// Whether it is virtual.
    pub const fn is_guest(&self) -> bool {
        self.hypervisor.is_some()
    }
}

/// `name : value` lines up to the second processor.
fn first_processor(cpuinfo: &str) -> BTreeMap<&str, &str> {
    let mut info = BTreeMap::new();
    for line in cpuinfo.lines() {
        let Some((name, value)) = line.split_once(':') else { continue };
        let (name, value) = (name.trim(), value.trim());
        if name == "processor" && info.contains_key(name) {
            break;
        }
        if !value.is_empty() {
            info.entry(name).or_insert(value);
        }
    }
    info
}

/// Decimal, or hexadecimal after 0x.
fn whole_number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// Words of the brand that name the CPU, and the numbers, joined by hyphens.
fn slug(brand: &str, numbers: &[Option<u32>]) -> String {
    let plain = brand.to_lowercase().replace("(r)", " ").replace("(tm)", " ");
    let plain = plain.split('@').next().unwrap_or_default();
    let words = plain.split(|c: char| !c.is_ascii_alphanumeric());
    let noise = ["", "cpu", "processor"];
    let mut parts: Vec<String> = words.filter(|word| !noise.contains(word)).take(8).map(str::to_owned).collect();
    parts.extend(numbers.iter().flatten().map(u32::to_string));
    if parts.is_empty() { "unknown".to_owned() } else { parts.join("-") }
}

/// What the system calls itself, made unreadable. Only a host without a machine id has a name that could be guessed.
fn id(source: &dyn Source) -> Option<String> {
    let files = ["/etc/machine-id", "/proc/sys/kernel/hostname"];
    let names: Vec<_> = files.iter().filter_map(|file| source.text(file)).collect();
    if names.iter().all(|name| name.trim().is_empty()) {
        return None;
    }
    let digest = Sha256::digest(format!("hashmatrix machine\n{}", names.join("\n")));
    Some(hex::encode(&digest[..8]))
}

/// The parameters that bear on time. The others may hold names, addresses and keys.
fn telling(command_line: &str) -> Vec<String> {
    const TELLING: [&str; 30] = [
        "amd_pstate",
        "clocksource",
        "cpufreq",
        "cpuidle",
        "default_hugepagesz",
        "highres",
        "hpet",
        "hugepages",
        "hugepagesz",
        "idle",
        "init_on_alloc",
        "init_on_free",
        "intel_idle",
        "intel_pstate",
        "irqaffinity",
        "isolcpus",
        "kpti",
        "mitigations",
        "nohz",
        "nohz_full",
        "noibrs",
        "nosmt",
        "nopti",
        "preempt",
        "processor",
        "rcu_nocbs",
        "skew_tick",
        "spectre_v2",
        "transparent_hugepage",
        "tsc",
    ];
    let name = |parameter: &str| parameter.split(['=', '.']).next().unwrap_or_default().to_owned();
    // What follows `--` is for the first program, not for the kernel.
    let parameters = command_line.split_ascii_whitespace().take_while(|parameter| *parameter != "--");
    parameters.filter(|parameter| TELLING.contains(&name(parameter).as_str())).map(str::to_owned).collect()
}

fn hypervisor(source: &dyn Source, features: &[String]) -> Option<String> {
    let line = |path: &str| source.text(path).map(|text| text.trim().to_lowercase()).unwrap_or_default();
    let xen = line("/sys/hypervisor/type");
    if !xen.is_empty() {
        return Some(xen);
    }
    let clocks = line("/sys/devices/system/clocksource/clocksource0/available_clocksource");
    let maker = line("/sys/class/dmi/id/sys_vendor") + " " + &line("/sys/class/dmi/id/product_name");
    let signs = [
        ("kvm-clock", "kvm"),
        ("hyperv_clocksource", "hyper-v"),
        ("qemu", "qemu"),
        ("vmware", "vmware"),
        ("virtualbox", "virtualbox"),
        ("kvm", "kvm"),
        ("bhyve", "bhyve"),
    ];
    let sign = signs.iter().find(|(sign, _)| clocks.contains(sign) || maker.contains(sign));
    match sign {
        Some((_, name)) => Some((*name).to_owned()),
        None => features.iter().any(|feature| feature == "hypervisor").then(|| "unknown".to_owned()),
    }
}

/// `0-2,5` is 0, 1, 2, 5.
fn cpu_list(list: &str) -> Vec<usize> {
    let mut cpus = BTreeSet::new();
    for part in list.trim().split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        if let (Ok(first), Ok(last)) = (first.parse::<usize>(), last.parse::<usize>()) {
            // A damaged list must not fill the memory.
            cpus.extend(first..=last.min(first.saturating_add(1 << 16)));
        }
    }
    cpus.into_iter().collect()
}

fn switch(text: &str) -> Option<bool> {
    match text.trim() {
        "1" => Some(true),
        "0" => Some(false),
        _ => None,
    }
}

/// `always [madvise] never` is `madvise`.
fn chosen(text: &str) -> Option<String> {
    Some(text.split_once('[')?.1.split_once(']')?.0.to_owned())
}

fn caches(source: &dyn Source) -> Vec<Cache> {
    let cache = |index: u32| {
        let text = |name: &str| source.text(&format!("{CPU}/cpu0/cache/index{index}/{name}"));
        Some(Cache {
            level: text("level")?.trim().parse().ok()?,
            kind: text("type")?.trim().to_owned(),
            bytes: size(&text("size")?)?,
            cpus: text("shared_cpu_list").map(|list| cpu_list(&list)).unwrap_or_default(),
        })
    };
    (0..16).filter_map(cache).collect()
}

/// `512K` or `32M`, in bytes.
fn size(text: &str) -> Option<u64> {
    let text = text.trim();
    let (digits, unit) = match text.strip_suffix('K') {
        Some(digits) => (digits, 1 << 10),
        None => text.strip_suffix('M').map_or((text, 1), |digits| (digits, 1 << 20)),
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

fn memory(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// What every frequency policy says; the different answers, if there are some.
fn of_all_policies(source: &dyn Source, name: &str) -> Option<String> {
    let folder = format!("{CPU}/cpufreq");
    let policies = source.names(&folder).into_iter().filter(|policy| policy.starts_with("policy"));
    let answers: BTreeSet<String> = policies
        .filter_map(|policy| source.text(&format!("{folder}/{policy}/{name}")))
        .map(|text| text.trim().to_owned())
        .collect();
    (!answers.is_empty()).then(|| answers.into_iter().collect::<Vec<_>>().join(", "))
}

fn frequency(source: &dyn Source, now: Option<String>) -> Frequency {
    let number = |name: &str| source.text(&format!("{CPU}/cpu0/cpufreq/{name}"))?.trim().parse().ok();
    let megahertz: Option<f64> = now.and_then(|text| text.parse().ok());
    Frequency {
        min: number("cpuinfo_min_freq"),
        max: number("cpuinfo_max_freq"),
        base: number("base_frequency"),
        now: number("scaling_cur_freq").or_else(|| megahertz.map(|now| (now * 1000.0) as u64)),
    }
}

/// Whether there is a counter unit of the cores; `None` where the kernel would not say.
fn counters(source: &dyn Source) -> Option<bool> {
    let units = source.names("/sys/bus/event_source/devices");
    if units.is_empty() {
        return None;
    }
    Some(units.iter().any(|unit| unit == "cpu" || unit.starts_with("cpu_") || unit.starts_with("armv")))
}

fn load(text: &str) -> Option<[f64; 3]> {
    let mut numbers = text.split_ascii_whitespace().map(|number| number.parse().ok());
    Some([numbers.next()??, numbers.next()??, numbers.next()??])
}

/// The eighth number of the line of all CPUs.
fn steal(text: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix("cpu "))?.split_ascii_whitespace().nth(7)?.parse().ok()
}

#[cfg(test)]
mod tests;
