// Measures `memonet studio` in a headless Chromium: node measure.mjs MEMONET [OPTIONS of memonet studio]
//
// Prints pictures and moments a second while the run plays, and the memory of memonet before and after it. Without options the runs
// are a minute with two nodes in lockstep and ten seconds with 16 nodes.
import { spawn } from "node:child_process";
import fs from "node:fs";
import { chromium } from "playwright-core";

const [memonet, ...chosen] = process.argv.slice(2);
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });

/** Resident memory of a process in MB. */
const megabytes = (pid) => Number(fs.readFileSync(`/proc/${pid}/status`, "utf8").match(/VmRSS:\s+(\d+)/)[1]) / 1024;

const runs = [
  [["--nic", "lockstep"], 60],
  [["--nodes", "16"], 10],
];
for (const [options, seconds] of chosen.length ? [[chosen, 10]] : runs) {
  const run = spawn(memonet, ["studio", ...options], { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((resolve, reject) => {
    run.stdout.once("data", (data) => resolve(String(data).match(/http:\S+/)[0]));
    run.once("exit", () => reject(new Error(`memonet studio ${options.join(" ")} ended`)));
  });
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  let moments = 0;
  page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => (moments += String(payload).startsWith('{"type":"moment"'))));
  await page.goto(address);
  await page.waitForFunction(() => document.querySelector("#now")?.textContent !== "");
  await page.click("#play");
  await page.waitForTimeout(5000);
  const before = megabytes(run.pid);
  moments = 0;
  const pictures = await page.evaluate(
    (seconds) =>
      new Promise((resolve) => {
        let count = 0;
        new MutationObserver(() => count++).observe(document.querySelector("#now"), { childList: true });
        setTimeout(() => resolve(count / seconds), seconds * 1000);
      }),
    seconds,
  );
  const each = (moments / seconds).toFixed(1);
  const after = megabytes(run.pid);
  console.log(`${options.join(" ")}: ${pictures.toFixed(1)} pictures/s, ${each} moments/s, ${before.toFixed(0)} MB, after ${seconds} s ${after.toFixed(0)} MB`);
  await page.close();
  run.kill("SIGINT");
  await new Promise((resolve) => run.on("exit", resolve));
}
await browser.close();
