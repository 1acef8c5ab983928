import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
  type Locator,
  type Page,
} from 'playwright-core'
import { patienceMs } from '../patience.ts'
import { programMissing } from '../programs.ts'

/** Debian's Chromium, which `.ci/run` installs. */
const launching = { executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] }

/** Why a test with a browser is left out; false where the browser is there. */
export const withoutBrowser = programMissing('chromium')

/** A page of the browser, and everything that it must not have done. */
export interface Tab {
  page: Page
  /** Fails for a violated policy, an error on the console, or a request to another host. `allowed` are refusals that the test expects. */
  expectClean(allowed?: RegExp): void
  close(): Promise<void>
}

/** Waits until a button can be pressed: before that, its key does nothing. `within` is a page, or a part of one. */
export const enabled = (within: Page | Locator, name: string): Promise<void> =>
  within
    .getByRole('button', { name, exact: true })
    .and(within.locator(':enabled[aria-disabled=false]'))
    .waitFor()

/** Stops the clock of a page, where one is installed: time goes by only as a test says, however slow the machine is. */
export const stopClock = (page: Page): Promise<void> => page.clock.pauseAt(Date.now() + 1_000)

/** Starts the browser for who stops it again. */
export const launchBrowser = ({ args = [], ...more }: LaunchOptions = {}): Promise<Browser> =>
  chromium.launch({ ...launching, ...more, args: [...launching.args, ...args] })

/** What a tab is opened with. */
export interface TabOptions extends BrowserContextOptions {
  /** Runs in the page before its own scripts. */
  script?: string
}

/** Starts the browser before the tests of a suite, and stops it after them. */
export function browserForSuite(): {
  open(url: string, options?: TabOptions): Promise<Tab>
  /** Opens a page of the demo hotel as one of its staff. */
  openAs(account: string, url: string): Promise<Tab>
  /** Loads a page in the tab of the test before, if that one found it clean: in half the time of a new tab, which it is otherwise. */
  openAgain(url: string): Promise<Tab>
} {
  let browser: Browser
  let kept: LoadedTab | null = null
  before(async () => {
    browser = await launchBrowser()
  })
  after(() => browser?.close())
  return {
    open: (url, options) => opened(browser, url, options),
    async openAs(account, url) {
      const context = await browser.newContext(desktop)
      await signIn(context, url, account)
      return openedIn(context, url)
    },
    async openAgain(url) {
      const tab = kept ?? (await opened(browser, url))
      if (kept) await kept.load(url)
      kept = null
      return {
        page: tab.page,
        expectClean(allowed) {
          tab.expectClean(allowed)
          kept = tab
        },
        close: async () => {
          if (kept !== tab) await tab.close()
        },
      }
    },
  }
}

/** Opens pages in a browser that runs already. */
export const tabIn = (browser: Browser): { open(url: string, options?: TabOptions): Promise<Tab> } => ({
  open: (url, options) => opened(browser, url, options),
})

const desktop = { viewport: { width: 1280, height: 800 }, locale: 'en-GB' }

/** A tab that can load another page, and then knows nothing more of the one before. */
interface LoadedTab extends Tab {
  load(url: string): Promise<void>
}

async function opened(
  browser: Browser,
  url: string,
  { script, ...options }: TabOptions = {},
): Promise<LoadedTab> {
  const context = await browser.newContext({ ...desktop, ...options })
  if (script) await context.addInitScript(script)
  return openedIn(context, url)
}

/** Opens a page in a browser of its own, whose data are in a folder. Closing the page ends the browser. */
export async function browserOnDisk(
  folder: string,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Tab> {
  const context = await chromium.launchPersistentContext(folder, { ...launching, ...desktop, ...options })
  return openedIn(context, url)
}

/** Signs in one of the demo staff before a page is opened, so that no page follows the events of another person's session. */
async function signIn(context: BrowserContext, url: string, account: string): Promise<void> {
  const reply = await context.request.post(new URL('/api/v2/session/actions/start-demo', url).href, {
    headers: { 'Content-Type': 'application/vnd.api+json' },
    data: JSON.stringify({ account }),
  })
  assert.equal(reply.status(), 201, await reply.text())
}

/** How far the clock of the box is ahead of this machine's, in milliseconds; 0 where no box answers. */
async function aheadOf(context: BrowserContext, url: string): Promise<number> {
  if (!URL.canParse('/api/v2/session', url)) return 0
  const reply = await context.request.get(new URL('/api/v2/session', url).href).catch(() => null)
  const body = reply?.ok() ? ((await reply.json()) as { data: { attributes: { time: string } } }) : null
  return body ? Date.parse(body.data.attributes.time) - Date.now() : 0
}

/** A script for the page: the clock of the browser is ahead by so many milliseconds of what it was. */
export const shiftedBy = (ahead: number) => `{
  const Machine = Date
  globalThis.Date = class extends Machine {
    constructor(...given) {
      super(...(given.length === 0 ? [Machine.now() + ${ahead}] : given))
    }
    static now() {
      return Machine.now() + ${ahead}
    }
  }
}`

async function openedIn(context: BrowserContext, url: string): Promise<LoadedTab> {
  context.setDefaultTimeout(patienceMs)
  let ahead = 0
  // A browser shows the time of the box, as in a hotel, whatever the day of the test is.
  const takeTime = async (url: string) => {
    const more = (await aheadOf(context, url)) - ahead
    ahead += more
    await context.addInitScript(shiftedBy(more))
  }
  await takeTime(url)
  const page = await context.newPage()
  const wrongs: string[] = []
  await page.addInitScript(
    "addEventListener('securitypolicyviolation', (event) => console.error('policy violated', event.violatedDirective, event.blockedURI))",
  )
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      wrongs.push(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => wrongs.push(String(error.stack)))
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin && !request.url().startsWith('data:'))
      wrongs.push(`foreign request ${request.url()}`)
  })
  await page.goto(url)
  return {
    page,
    async load(url) {
      await page.unrouteAll()
      await page.goto('about:blank')
      await takeTime(url)
      wrongs.length = 0
      await page.goto(url)
    },
    expectClean(allowed = /(?!)/) {
      assert.deepEqual(
        wrongs.filter((each) => !allowed.test(each)),
        [],
      )
    },
    close: () => context.close(),
  }
}
