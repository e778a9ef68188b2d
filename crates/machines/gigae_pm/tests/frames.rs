use cluster::Duration;
use gigae_pm::header::MAC_PREFIX;
use gigae_pm::header::mac_address;
use gigae_pm::registers::Register;
use gigae_pm_machine::{Programs, Settings, TransmitError};
use pm::programs::{ping, pong};
use pm::{Endpoint, NodeId, OpenError};

use super::{CHANNEL, cable, switched};

const LIMIT: Duration = Duration::from_us(50_000);

/// A frame of IP from one node to another that holds `number`.
fn frame(from: u16, to: u16, number: u32, size: usize) -> Vec<u8> {
    let address = |node| mac_address(MAC_PREFIX, node);
    let mut frame = [&address(to)[..], &address(from), &[8, 0], &number.to_be_bytes()].concat();
    frame.extend((frame.len()..size).map(|i| (i as u32 * 7 + number) as u8));
    frame
}

#[test]
fn frames_of_other_protocols_arrive_in_order_beside_messages() {
    const COUNT: u32 = 100;
    let size = |number: u32| 60 + number as usize * 191 % 1455;
    let mut cluster = switched(2, &Settings::default());
    let source = cluster.spawn_kernel(0, "source", move |host, driver| async move {
        driver.up(&host).await;
        // The other host may still set itself up.
        host.processor().compute(Duration::from_us(200)).await;
        let mut waited = 0;
        for number in 0..COUNT {
            let frame = frame(0, 1, number, size(number));
            while let Err(error) = driver.transmit(&host, &frame).await {
                assert_eq!(error, TransmitError::Full);
                host.processor().compute(Duration::from_us(5)).await;
                waited += 1;
            }
            host.processor().compute(Duration::from_us(15)).await;
        }
        waited
    });
    let sink = cluster.spawn_kernel(1, "sink", move |host, driver| async move {
        driver.up(&host).await;
        for number in 0..COUNT {
            assert_eq!(driver.next_frame(&host).await, frame(0, 1, number, size(number)));
        }
    });
    let ping = cluster.spawn(0, "ping", |mut port| async move {
        port.open(CHANNEL, 1).await.expect("the channel is free");
        ping(&mut port, CHANNEL, NodeId(1), 200, 30, |_| ()).await
    });
    let pong = cluster.spawn(1, "pong", |mut port| async move {
        port.open(CHANNEL, 1).await.expect("the channel is free");
        pong(&mut port, CHANNEL, NodeId(0), 200, 30).await
    });
    cluster.run(LIMIT).expect("all programs end");
    assert!(source.take().is_some() && sink.take().is_some());
    assert_eq!((ping.take(), pong.take()), (Some(Ok(())), Some(Ok(()))));
}

#[test]
fn card_that_gets_more_frames_than_it_sends_has_them_wait() {
    let mut cluster = cable(&Settings::default());
    let program = cluster.spawn_kernel(0, "program", |host, driver| async move {
        driver.up(&host).await;
        let mut full = 0;
        for number in 0..64 {
            let frame = frame(0, 1, number, 1514);
            while driver.transmit(&host, &frame).await == Err(TransmitError::Full) {
                full += 1;
            }
        }
        host.processor().compute(Duration::from_us(1_000)).await;
        (full, driver.register(&host, Register::Sent).await)
    });
    cluster.run(LIMIT).expect("the program ends");
    let (full, sent) = program.take().unwrap();
    assert!(full > 0);
    assert_eq!(sent, 64);
}

#[test]
fn malformed_frames_and_an_interface_that_is_down_are_refused() {
    let mut cluster = cable(&Settings::default());
    let program = cluster.spawn_kernel(0, "program", |host, driver| async move {
        assert_eq!(driver.transmit(&host, &[0; 60]).await, Err(TransmitError::Down));
        driver.up(&host).await;
        assert_eq!(driver.transmit(&host, &[0; 13]).await, Err(TransmitError::Size(13)));
        assert_eq!(driver.transmit(&host, &[0; 1515]).await, Err(TransmitError::Size(1515)));
        assert_eq!(driver.transmit(&host, &[0; 14]).await, Ok(()));
    });
    cluster.run(LIMIT).expect("the program ends");
    assert_eq!(program.take(), Some(()));
}

#[test]
fn closed_channel_leaves_the_card_to_the_interface() {
    let mut cluster = cable(&Settings::default());
    let program = cluster.spawn(0, "program", |mut port| async move {
        let host = port.host().clone();
        port.driver().up(&host).await;
        port.open(CHANNEL, 1).await.expect("the channel is free");
        port.close(CHANNEL).await;
        assert_eq!(port.driver().register(&host, Register::Control).await, 1);
        assert_eq!(
            port.open(CHANNEL, 2).await,
            Err(OpenError::IsOpen),
            "its ring is where the session left it"
        );
    });
    cluster.run(LIMIT).expect("the program ends");
    assert_eq!(program.take(), Some(()));
}
