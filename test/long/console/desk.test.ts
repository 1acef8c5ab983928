import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, afterEach, before, describe, it } from 'node:test'
import { startAppliance, type TestAppliance } from '../../appliance.ts'
import { browserForSuite, type Tab, withoutBrowser } from '../../console/browser.ts'
import { monday, settableClock } from '../../test-clock.ts'

describe('the desk in a browser', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: TestAppliance
  let tab: Tab

  before(async () => {
    house = await startAppliance({ clock: settableClock(monday) })
  })
  after(() => house?.stop())
  afterEach(() => tab?.close())

  const open = async (screen = '') => {
    tab = await browser.open(`${house.appliance.url}/desk${screen && `#/${screen}`}`)
    return tab.page
  }

  it('is signed in as the staff of the demo hotel, and shows who arrives', async () => {
    const page = await open()
    await page.getByText('Almeida, Ines').waitFor()
    await page.getByText('Connected', { exact: true }).waitFor()
    assert.equal(await page.locator('tbody tr').count(), 12)
    tab.expectClean()
  })

  it('prints the arrivals on paper by one key, also without a line', async () => {
    const page = await open()
    await page.getByText('Almeida, Ines').waitFor()
    await page.context().setOffline(true)
    const paper = page.locator('.paper')
    await page.evaluate("window.print = () => document.body.classList.add('printed')")
    await page.keyboard.press('p')
    await page.locator('body.printed').waitFor()
    assert.equal(await paper.isVisible(), false, 'the screen does not show it')
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    assert.equal(await paper.locator('tbody tr').count(), 12)
    const row = paper.getByRole('row', { name: /Almeida, Ines/ })
    assert.match(await row.innerText(), /\d night.*\d{4}.*(€|paid)/s)
    assert.equal(
      await page.locator('header.top, nav.side, table.list, .tabs').locator('visible=true').count(),
      0,
    )
    assert.equal(await page.evaluate('getComputedStyle(document.documentElement).colorScheme'), 'light')
    await page.emulateMedia({ media: 'screen' })
    await page.evaluate("dispatchEvent(new Event('afterprint'))")
    await paper.waitFor({ state: 'detached' })
    tab.expectClean(/ERR_|Failed to load/)
  })

  it('goes to a screen by two keys', async () => {
    const page = await open()
    await page.getByText('Almeida, Ines').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await page.getByRole('heading', { name: 'Rooms' }).waitFor()
    tab.expectClean()
  })

  it('is locked at once, and unlocked by the passcode of the same person only', async () => {
    const page = await open('rooms')
    await page.getByRole('button', { name: '101' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('l')
    await page.getByText('This station is locked').waitFor()
    assert.equal(await page.getByRole('button', { name: '101' }).count(), 0, 'nothing is left on the screen')
    await page.getByLabel('Passcode').fill('000000')
    await page.keyboard.press('Enter')
    await page.getByText('The passcode or password is wrong').waitFor()
    await page.getByText('In the demo hotel it is 482615').waitFor()
    await page.getByLabel('Passcode').fill('482615')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: '101' }).waitFor()
    await page.getByText('Connected', { exact: true }).waitFor()
    tab.expectClean(/40[13]/)
  })

  it('takes the password where the passcode is asked, which an administrator needs', async () => {
    const page = await open('rooms')
    await page.getByRole('button', { name: 'Lock', exact: true }).click()
    await page.getByRole('button', { name: 'Sign in with a password' }).click()
    const field = page.getByLabel('Password')
    assert.equal(await field.getAttribute('maxlength'), null)
    await field.fill('velvet kettle anthem orbit')
    const sent = page.waitForRequest(/actions\/unlock/)
    await page.keyboard.press('Enter')
    assert.deepEqual((await sent).postDataJSON(), { password: 'velvet kettle anthem orbit' })
    tab.expectClean(/40[13]/)
  })

  it('closes the results of a search when the clerk goes on elsewhere', async () => {
    const page = await open()
    await page.getByText('Almeida, Ines').waitFor()
    await page.keyboard.press('/')
    await page.getByText('The four digits from the kiosk').waitFor()
    await page.keyboard.type('x')
    await page.getByText('No stay is found by this name, number or room.').waitFor()
    await page.getByRole('link', { name: 'Rooms' }).click()
    await page.getByText('Choose rooms, then their new status.').waitFor()
    assert.equal(await page.getByText('No stay is found by this name, number or room.').count(), 0)
    tab.expectClean()
  })

  it('changes the language while somebody is signed in', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'Ana' }).click()
    await page.getByLabel('Language').selectOption('de')
    await page.getByRole('button', { name: 'Abmelden' }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'Zimmer', exact: true }).waitFor()
    tab.expectClean()
  })

  it('shows a person the own sessions, ends one of them, and changes the own passcode', async () => {
    const elsewhere = await browser.open(`${house.appliance.url}/desk`)
    await elsewhere.page.getByText('Almeida, Ines').waitFor()
    const page = await open()
    const person = async () => page.getByRole('button', { name: 'Ana', exact: true }).click()
    await person()
    const dialog = page.getByRole('dialog')
    const sessions = dialog.locator('.rows li')
    await sessions.getByText('here', { exact: true }).waitFor()
    const before = await sessions.count()
    assert.ok(before >= 2, `${before} sessions`)
    const ends = dialog.getByRole('button', { name: /^End: / })
    while ((await ends.count()) > 0) {
      const count = await sessions.count()
      await ends.first().click()
      await sessions.nth(count - 1).waitFor({ state: 'detached' })
    }
    assert.equal(await sessions.count(), 1)
    await elsewhere.page.getByRole('link', { name: 'Rooms' }).click()
    await elsewhere.page.getByRole('heading', { name: 'Rooms' }).waitFor()
    await elsewhere.close()

    const change = async (present: string, wanted: string) => {
      await dialog.getByLabel('Present passcode or password').fill(present)
      await dialog.getByLabel('New passcode').fill(wanted)
      await page.keyboard.press('Enter')
    }
    await dialog.getByRole('button', { name: 'Change the passcode' }).click()
    await change('000000', '739206')
    await dialog.getByText('The passcode or password is wrong.').waitFor()
    await change('482615', '123456')
    await dialog.getByText('Many people choose this passcode').waitFor()
    await change('482615', '739206')
    await dialog.getByText('It is changed.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Lock', exact: true }).click()
    await page.getByLabel('Passcode').fill('739206')
    await page.keyboard.press('Enter')
    await page.getByText('Almeida, Ines').waitFor()
    await person()
    await dialog.getByRole('button', { name: 'Change the passcode' }).click()
    await change('739206', '482615')
    await dialog.getByText('It is changed.').waitFor()
    tab.expectClean(/40[13]|422/)
  })

  it('shows housekeeping its rooms without a search of guests', async () => {
    const page = await open('rooms')
    await page.getByRole('button', { name: 'Lock', exact: true }).click()
    await page.getByRole('button', { name: 'Someone else' }).click()
    await page.getByRole('button', { name: 'Ben' }).click()
    await page.getByRole('button', { name: '101' }).waitFor()
    assert.equal(await page.getByRole('combobox').count(), 0)
    tab.expectClean(/40[13]/)
  })

  it('keeps the draft of a walk-in for the person who has begun it, and shows it to nobody else', async () => {
    const page = await open('walk-in')
    const name = page.getByLabel('Last name')
    await name.fill('Silva')
    const change = async (to: string) => {
      await page.getByRole('button', { name: 'Lock', exact: true }).click()
      await page.getByRole('button', { name: 'Someone else' }).click()
      await page.getByRole('button', { name: to }).click()
      await name.waitFor()
    }
    await change('Ida')
    assert.equal(await name.inputValue(), '')
    await change('Ana')
    assert.equal(await name.inputValue(), 'Silva')
    tab.expectClean(/40[13]/)
  })

  it('changes rooms by keyboard, takes it back, and shows what others change', async () => {
    const page = await open('rooms')
    const room = page.getByRole('button', { name: /^102/ })
    await room.click()
    await page.keyboard.press('1')
    await room.getByText('Dirty').waitFor()
    await page.keyboard.press('u')
    await room.getByText('Clean', { exact: true }).waitFor()
    const [{ id }] = (await house.ask('GET', '/api/v2/units?filter[name]=102')).body.data
    await house.ask('PATCH', `/api/v2/units/${id}`, { body: { status: 'OutOfService' } })
    await room.getByText('Out of service').waitFor()
    tab.expectClean()
  })

  it('moves a stay on the rack by keyboard', async () => {
    const page = await open('rack')
    const reached = page.locator('.bar[tabindex="0"]')
    await page.getByRole('button', { name: /^Without a room/ }).click()
    await page.locator('.bar').first().focus()
    await page.keyboard.press('ArrowRight')
    await reached.and(page.locator(':focus')).waitFor()
    assert.equal(await reached.count(), 1, 'Tab reaches one stay')
    await page.getByRole('button', { name: /^Almeida, Ines, Expected, no room/ }).focus()
    await page.keyboard.press('m')
    await page.getByLabel('New room').selectOption('203')
    await page.getByRole('button', { name: 'Move to 203' }).click()
    await page.getByRole('button', { name: /^Almeida, Ines, Expected, 203/ }).waitFor()
    tab.expectClean()
  })

  it('tries again to open a screen whose script could not be loaded, without a new page', async () => {
    tab = await browser.open('about:blank')
    const { page } = tab
    const script = /\/rack\/rack\.ts$/
    await page.route(script, (route) => route.abort())
    await page.goto(`${house.appliance.url}/desk#/rack`)
    await page.getByText('Connected', { exact: true }).waitFor()
    const again = page.getByRole('main').getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await page.unroute(script)
    await page.evaluate('window.isSamePage = true')
    await again.click()
    await page.getByRole('grid', { name: 'Room rack' }).waitFor()
    assert.equal(await page.evaluate('window.isSamePage'), true)
    tab.expectClean(/foreign request|ERR_FAILED/)
  })

  it('shows the rack without the numbers of free rooms when only these cannot be read', async () => {
    tab = await browser.open('about:blank')
    const { page } = tab
    await page.route('**/availability/unit-types?**', (route) => route.fulfill(refusal(500, 'Broken.')))
    await page.goto(`${house.appliance.url}/desk#/rack`)
    await page.getByText('The free rooms cannot be counted now').waitFor()
    await page
      .getByRole('button', { name: /^Almeida, Ines/ })
      .first()
      .waitFor()
    await page.unroute('**/availability/unit-types?**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('The free rooms cannot be counted now').waitFor({ state: 'detached' })
    tab.expectClean(/foreign request|500/)
  })

  it('speaks the language of the browser until somebody is signed in', async () => {
    tab = await browser.open('about:blank', { locale: 'de-DE' })
    await tab.page.addInitScript("sessionStorage.setItem('nightporter.signed-out', '1')")
    await tab.page.goto(`${house.appliance.url}/desk`)
    await tab.page.getByRole('heading', { name: 'Wer sind Sie?' }).waitFor()
    assert.equal(await tab.page.locator('html').getAttribute('lang'), 'de')
    await tab.page.getByRole('button', { name: 'Ana' }).click()
    await tab.page.getByRole('heading', { name: 'Today' }).waitFor()
    tab.expectClean(/foreign request/)
  })

  it('lets a new member of the staff in by the one-time code, at a browser that becomes a station', async () => {
    const made = await house.ask('POST', '/api/config/v1/accounts', {
      body: { name: 'Nuno', role: 'frontdesk' },
    })
    const desk = await house.ask('POST', '/api/config/v1/stations', { body: { name: 'Desk right' } })
    tab = await browser.open('about:blank')
    const { page } = tab
    await page.addInitScript("sessionStorage.setItem('nightporter.signed-out', '1')")
    await page.goto(`${house.appliance.url}/desk`)
    await page.getByRole('button', { name: 'Make this browser a station' }).click()
    await page.getByLabel('Enrolment code').fill(desk.body.meta.code)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'I have a one-time code' }).click()
    await page.getByLabel('Name').fill('Nuno')
    await page.getByLabel('One-time code').fill(made.body.meta.code)
    await page.getByLabel('New passcode').fill('123456')
    await page.keyboard.press('Enter')
    await page.getByText('Many people choose this passcode').waitFor()
    await page.getByLabel('New passcode').fill('739206')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Today' }).waitFor()
    await page.getByText('Nuno').waitFor()
    tab.expectClean(/foreign request|422/)
  })

  it('says that the line is dead, and goes on when it is back', async () => {
    const line = await lineTo(house.appliance.url)
    tab = await browser.open(`${line.url}/desk#/rooms`)
    const { page } = tab
    const room = page.getByRole('button', { name: /^101/ })
    await room.click()
    const toClean = page.getByRole('button', { name: 'Being cleaned' })
    await page.getByText('Connected', { exact: true }).waitFor()
    assert.ok(await toClean.isEnabled())
    await line.cut()
    await page.getByText(/what you see is as of \d\d:\d\d/).waitFor()
    assert.equal(await room.count(), 1, 'the last data stay')
    assert.ok(await toClean.isDisabled())
    assert.match((await toClean.getAttribute('title')) ?? '', /connection/)
    await page.keyboard.press('1')
    const [{ id, attributes }] = (await house.ask('GET', '/api/v2/units?filter[name]=101')).body.data
    assert.notEqual(attributes.status, 'OutOfService')
    await house.ask('PATCH', `/api/v2/units/${id}`, { body: { status: 'OutOfService' } })
    await page.getByRole('link', { name: 'Today' }).click()
    await page.getByText(/what you see is as of/).waitFor()
    await page.getByRole('link', { name: 'Rooms' }).click()
    await line.mend()
    await page.getByText('Connected', { exact: true }).waitFor()
    await room.getByText('Out of service').waitFor()
    assert.equal(await page.getByText(/what you see is as of/).count(), 0)
    const now = (await house.ask('GET', `/api/v2/units/${id}`)).body.data
    assert.equal(now.attributes.status, 'OutOfService', 'what was pressed without a line is not sent later')
    await line.cut()
    tab.expectClean(/ERR_|Failed to load/)
  })
})

const refusal = (status: number, detail: string) => ({
  status,
  contentType: 'application/vnd.api+json',
  body: JSON.stringify({ errors: [{ status: String(status), code: 'internal', title: detail, detail }] }),
})

/** A line to the appliance that a test cuts and mends. */
async function lineTo(target: string): Promise<{ url: string; cut(): Promise<void>; mend(): Promise<void> }> {
  const ends = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(new URL(target).port), '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(one)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
      one.pipe(other)
    }
  })
  const mend = async (port = 0) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const port = await mend()
  return {
    url: `http://127.0.0.1:${port}`,
    async cut() {
      server.close()
      for (const end of ends) end.destroy()
      ends.clear()
    },
    mend: async () => void (await mend(port)),
  }
}
