import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { programs } from './appliance.ts'
import { startedDesk } from './console.ts'
import type { Measure } from './measure.ts'
import { median, short, spread } from './statistics.ts'

const desks = 5
const cardsAtOnce = 2
/** A guest of the simulated lobby takes a card after 1.5 s. */
const untilTakenMs = 1_800
const restMs = 2_000
const aims = { addedMb: 10, slower: 1.1 }

/** What five open desks cost the box: memory, and time to issue a card. Rounds alternate with none open. */
export const openDesks: Measure = {
  name: 'desks',
  async run({ rounds }) {
    if (!existsSync('/usr/bin/chromium') || !existsSync(programs.bundled))
      return [{ measure: 'desks', ours: 'left out: needs chromium, and npm run bundle first' }]
    const desk = await startedDesk()
    const browser = await chromium.launch({
      executablePath: '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu'],
    })
    const issue = await cardMaker(desk.url)
    const cards = async () => {
      const took: number[] = []
      for (let card = 0; card < cardsAtOnce; card++) took.push(await issue())
      await pause(restMs)
      return { ms: median(took), mb: desk.residentMb() }
    }
    try {
      // The code of both is loaded and compiled before anything is counted.
      const first = await opened(browser, desk.url)
      await cards()
      for (const context of first) await context.close()
      const found: Record<'without' | 'beside' | 'added', number[]> = { without: [], beside: [], added: [] }
      for (let round = 0; round < Math.max(rounds, 5); round++) {
        const without = await cards()
        const contexts = await opened(browser, desk.url)
        const beside = await cards()
        for (const context of contexts) await context.close()
        found.without.push(without.ms)
        found.beside.push(beside.ms)
        found.added.push(beside.mb - without.mb)
      }
      const slower = median(found.beside) / median(found.without)
      return [
        {
          measure: `memory of the box that ${desks} open desks add`,
          ours: spread(found.added, 'MB'),
          aim: `${aims.addedMb} MB`,
          met: median(found.added) <= aims.addedMb,
        },
        {
          measure: `issuing a card beside ${desks} open desks, to without`,
          ours: spread(found.beside, 'ms'),
          constant: `without ${spread(found.without, 'ms')}`,
          ratio: short(slower),
          aim: `${aims.slower} x`,
          met: slower <= aims.slower,
        },
      ]
    } finally {
      await browser.close()
      await desk.stop()
    }
  },
}

async function opened(browser: Browser, url: string): Promise<BrowserContext[]> {
  const contexts: BrowserContext[] = []
  for (let desk = 0; desk < desks; desk++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const page = await context.newPage()
    await page.goto(`${url}/desk`)
    await page.locator('tbody tr').first().waitFor()
    contexts.push(context)
  }
  return contexts
}

/** Returns what issues a card for the next room and resolves with the milliseconds that it took, after the guest took it. */
async function cardMaker(url: string): Promise<() => Promise<number>> {
  const headers = { Authorization: 'Bearer demo', 'Content-Type': 'application/vnd.api+json' }
  const first = async (path: string) => {
    const answer = await fetch(url + path, { headers })
    return ((await answer.json()) as { data: { id: string; attributes: { name: string } }[] }).data
  }
  const [controller] = await first('/api/v2/access/controllers')
  const units = await first('/api/v2/units?page[size]=40')
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  let turn = 0
  return async () => {
    const unitName = units[turn++ % units.length]!.attributes.name
    const body = JSON.stringify({
      type: 'keyCard',
      unitName,
      original: true,
      startDate: day(0),
      endDate: day(1),
    })
    const begun = performance.now()
    const answer = await fetch(`${url}/api/v2/access/controllers/${controller!.id}/key`, {
      method: 'POST',
      headers,
      body,
    })
    const text = await answer.text()
    const took = performance.now() - begun
    if (answer.status !== 201) throw new Error(`no card for ${unitName}: ${text}`)
    await pause(untilTakenMs)
    return took
  }
}
