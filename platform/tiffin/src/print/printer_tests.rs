use std::{ffi::OsStr, os::unix::ffi::OsStrExt, process::Command, thread};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use tiffin_testkit::{Behaviour, TestPrinter};

use super::*;

#[test]
fn addresses_are_hosts_with_ports_or_device_files() {
    let tcp = |host: &str, port| Ok(Printer::Tcp(host.to_owned(), port));
    assert_eq!("tcp://192.168.1.50:9101".parse(), tcp("192.168.1.50", 9101));
    assert_eq!("tcp://kitchen.local".parse(), tcp("kitchen.local", 9100));
    assert_eq!("tcp://[fe80::1]:9100".parse(), tcp("fe80::1", 9100));
    let usb = Printer::Usb("/dev/usb/lp0".into());
    assert_eq!("usb:/dev/usb/lp0".parse(), Ok(usb));
    for wrong in [
        "lp0",
        "usb:",
        "tcp://",
        "tcp://host:port",
        "http://host:9100",
    ] {
        assert!(wrong.parse::<Printer>().is_err(), "{wrong}");
    }
}

/// A terminal takes the part of the USB cable: its answers wait for the next program that opens the device file.
#[test]
fn a_device_file_prints_and_keeps_the_answer_for_the_next_agent() {
    let printer = TestPrinter::start();
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let path = PathBuf::from(OsStr::from_bytes(name.to_bytes()));
    let cable = File::options().read(true).write(true).open(&path).unwrap();
    let mut stty = Command::new("stty");
    let raw = stty.arg("-F").arg(&path).args(["raw", "-echo"]).status();
    assert!(raw.unwrap().success());
    printer.attach(File::from(master));

    let usb = Printer::Usb(path);
    let ticket = b"\x1b@1 x Egg hopper\n\x1dV\x00";
    let printout = usb.connect(true).unwrap().print(ticket, *b"ABCD");
    assert_eq!(printout, Printout::Printed);
    assert_eq!(printer.tickets(), [ticket]);

    // The agent ends before the answer comes.
    printer.behave(Behaviour::Withholds);
    let mut connection = usb.connect(true).unwrap();
    let bytes = [ticket.as_slice(), &escpos::ask_process_id(*b"PPPP")].concat();
    connection.write(&bytes).unwrap();
    drop(connection);
    while printer.tickets().len() < 2 {
        thread::sleep(Duration::from_millis(10));
    }
    printer.behave(Behaviour::Works);
    let connection = usb.connect(true).unwrap();
    assert!(connection.has_confirmed(*b"PPPP"));
    assert!(!connection.has_confirmed(*b"ABCD"));

    printer.behave(Behaviour::NoPaper);
    assert_eq!(usb.connect(true).err(), Some(Problem::NoPaper));
    drop(cable);
}

#[test]
fn a_printer_that_answers_is_away_while_it_serves_another_connection() {
    let printer = TestPrinter::start();
    let tcp: Printer = printer.address().parse().unwrap();
    assert!(tcp.connect(false).unwrap().answers());
    printer.behave(Behaviour::HoldsAt(1));
    let mut other = tcp.connect(true).unwrap();
    other.write(b"\x1b@").unwrap();
    while printer.begun() == 0 {
        thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(tcp.connect(true).err(), Some(Problem::PrinterAway));
    printer.behave(Behaviour::Works);
    drop(other);
    while tcp.connect(true).is_err() {
        thread::sleep(Duration::from_millis(10));
    }
}
