//! The interrupt handler of the driver.

use cluster::Cpu;

use crate::driver::Driver;
use crate::pm_ethernet::PmEthernet;

/// Takes all frames that have arrived. Frames of PM do not reach the kernel's protocols.
pub(crate) async fn handle(cpu: &Cpu, driver: &Driver, pm: &PmEthernet) {
    driver.acknowledge(cpu).await;
    while let Some(frame) = driver.take(cpu) {
        if !pm.arrive(cpu, &frame).await {
            driver.queue(cpu, frame).await;
        }
    }
    driver.wake(cpu);
    pm.transmit(cpu).await;
}
