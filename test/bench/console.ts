import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { appliance, programs } from './appliance.ts'
import type { Line, Measure } from './measure.ts'
import { median } from './statistics.ts'

const executablePath = '/usr/bin/chromium'
/** Stands in for a small computer behind the desk. */
const slowedTimes = 6
/** In milliseconds. */
const aims = { content: 600, list: 1_000, key: 100, rack: 200 }
/** Beside the 40 rooms of the sample. */
const moreRooms = 60

/** The pages in a slowed browser: the first content, the list of arrivals, the answer to a key, and the rack of 100 rooms. */
export const consolePages: Measure = {
  name: 'console',
  async run({ rounds }) {
    if (!existsSync(executablePath) || !existsSync(programs.bundled))
      return [{ measure: 'console', ours: 'left out: needs chromium, and npm run bundle first' }]
    const desk = await startedDesk()
    await addRooms(desk.url)
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
    try {
      const found: Record<keyof typeof aims, number[]> = { content: [], list: [], key: [], rack: [] }
      for (let round = 0; round < rounds; round++) {
        const once = await visited(browser, `${desk.url}/desk`)
        for (const name of ['content', 'list', 'key', 'rack'] as const) found[name].push(once[name])
      }
      return [
        lineOf('first content', found.content, aims.content),
        lineOf('list of arrivals', found.list, aims.list),
        lineOf('answer to a key', found.key, aims.key),
        lineOf('rack of 100 rooms', found.rack, aims.rack),
      ]
    } finally {
      await browser.close()
      await desk.stop()
    }
  },
}

/** The bundled program with the sample property, until `stop`. */
export async function startedDesk() {
  const data = mkdtempSync(join(tmpdir(), 'nightporter-console-'))
  const server = await appliance(data, { program: programs.bundled })
  return {
    url: `http://127.0.0.1:${server.port}`,
    residentMb: server.residentMb,
    async stop(): Promise<void> {
      await server.stop()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

async function addRooms(url: string): Promise<void> {
  const headers = { Authorization: 'Bearer demo', 'Content-Type': 'application/json' }
  const rooms = Array.from({ length: moreRooms }, (_, number) => ({ name: `5${number}`, status: 'Clean' }))
  const reply = await fetch(`${url}/api/v2/batch/units`, {
    method: 'POST',
    headers,
    body: JSON.stringify(rooms),
  })
  if (!reply.ok) throw new Error(await reply.text())
}

/** Opens the desk as somebody who is signed in, in a browser that has kept no file. Times in milliseconds since the navigation, of the key since it went down, of the rack since it was asked for. */
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
  const rack = await page.evaluate<number>(`new Promise((resolve) => {
    const from = performance.now()
    const look = () => document.querySelector('[role=gridcell]') ? setTimeout(() => resolve(performance.now() - from)) : requestAnimationFrame(look)
    location.hash = '#/rack'
    look()
  })`)
  const times = await page.evaluate<
    Omit<Record<keyof typeof aims, number>, 'rack'>
  >(`new Promise((resolve) => setTimeout(resolve, 300)).then(() => ({
    content: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN, list: listAt, key: keyMs }))`)
  await context.close()
  return { ...times, rack }
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
