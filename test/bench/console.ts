import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { programs } from './appliance.ts'
import type { Line, Measure } from './measure.ts'
import { median } from './statistics.ts'

const executablePath = '/usr/bin/chromium'
/** Stands in for a small computer behind the desk. */
const slowedTimes = 6
/** In milliseconds. */
const aims = { content: 600, list: 1_000, key: 100 }

/** The pages in a slowed browser: the first content, the list of arrivals, and the answer to a key. */
export const consolePages: Measure = {
  name: 'console',
  async run({ rounds }) {
    if (!existsSync(executablePath) || !existsSync(programs.bundled))
      return [{ measure: 'console', ours: 'left out: needs chromium, and npm run bundle first' }]
    const data = mkdtempSync(join(tmpdir(), 'nightporter-console-'))
    const port = await freePort()
    const child = spawn(
      process.execPath,
      [programs.bundled.pathname, 'serve', '--listen', `127.0.0.1:${port}`, '--data', data],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    await new Promise((resolve) => child.stdout.once('data', resolve))
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
    try {
      const found: Record<keyof typeof aims, number[]> = { content: [], list: [], key: [] }
      for (let round = 0; round < rounds; round++) {
        const once = await visited(browser, `http://127.0.0.1:${port}/desk`)
        for (const name of ['content', 'list', 'key'] as const) found[name].push(once[name])
      }
      return [
        lineOf('first content', found.content, aims.content),
        lineOf('list of arrivals', found.list, aims.list),
        lineOf('answer to a key', found.key, aims.key),
      ]
    } finally {
      await browser.close()
      child.kill('SIGTERM')
      await gone
      rmSync(data, { recursive: true, force: true })
    }
  },
}

/** Opens the desk as somebody who is signed in, in a browser that has kept no file. Times in milliseconds since the navigation, of the key since it went down. */
async function visited(browser: Browser, url: string): Promise<Record<keyof typeof aims, number>> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  const debug = await context.newCDPSession(page)
  await page.goto(url)
  await page.locator('tbody tr').first().waitFor()
  await debug.send('Network.clearBrowserCache')
  await debug.send('Emulation.setCPUThrottlingRate', { rate: slowedTimes })
  await page.addInitScript(`{
    const look = () => document.querySelector('tbody tr') ? (window.listAt = performance.now()) : requestAnimationFrame(look)
    look()
    addEventListener('keydown', () => { const at = performance.now(); requestAnimationFrame(() => setTimeout(() => (window.keyMs = performance.now() - at))) }, { capture: true })
  }`)
  await page.reload()
  await page.locator('tbody tr').first().waitFor()
  await page.keyboard.press('j')
  await page.locator('tbody tr.chosen').first().waitFor()
  const times = await page.evaluate<
    Record<keyof typeof aims, number>
  >(`new Promise((resolve) => setTimeout(resolve, 300)).then(() => ({
    content: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN, list: listAt, key: keyMs }))`)
  await context.close()
  return times
}

function lineOf(what: string, times: number[], aim: number): Line {
  const typical = median(times)
  return {
    measure: `desk in a browser slowed ${slowedTimes} times, ${what}`,
    ours: `${Math.round(typical)} ms (${Math.round(Math.min(...times))}..${Math.round(Math.max(...times))})`,
    aim: `${aim} ms`,
    met: typical <= aim,
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
