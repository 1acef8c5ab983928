import assert from 'node:assert/strict'
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
    await page.getByText('Line to the box: live').waitFor()
    assert.equal(await page.locator('tbody tr').count(), 12)
    tab.expectClean()
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
    await page.getByText('Line to the box: live').waitFor()
    tab.expectClean(/40[13]/)
  })

  it('takes the password where the passcode is asked, which an administrator needs', async () => {
    const page = await open('rooms')
    await page.getByRole('button', { name: 'Lock' }).click()
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
    await page.getByText('No guest, number or room is found.').waitFor()
    await page.getByRole('link', { name: 'Rooms' }).click()
    await page.getByText('Choose rooms, then their new status.').waitFor()
    assert.equal(await page.getByText('No guest, number or room is found.').count(), 0)
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

  it('shows housekeeping its rooms without a search of guests', async () => {
    const page = await open('rooms')
    await page.getByRole('button', { name: 'Lock' }).click()
    await page.getByRole('button', { name: 'Someone else' }).click()
    await page.getByRole('button', { name: 'Ben' }).click()
    await page.getByRole('button', { name: '101' }).waitFor()
    assert.equal(await page.getByRole('combobox').count(), 0)
    tab.expectClean(/403/)
  })

  it('keeps the draft of a walk-in for the person who has begun it, and shows it to nobody else', async () => {
    const page = await open('walk-in')
    const name = page.getByLabel('Last name')
    await name.fill('Silva')
    const change = async (to: string) => {
      await page.getByRole('button', { name: 'Lock' }).click()
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
    await page.getByRole('button', { name: /^Almeida, Ines, no room/ }).focus()
    await page.keyboard.press('m')
    await page.getByLabel('Free for the whole stay').selectOption('203')
    await page.getByRole('button', { name: 'Move to 203' }).click()
    await page.getByRole('button', { name: /^Almeida, Ines, 203/ }).waitFor()
    tab.expectClean()
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
    const page = await open('rooms')
    await page.getByRole('button', { name: '101' }).waitFor()
    await page.context().setOffline(true)
    await house.restart()
    await page.getByText('No line to the box').first().waitFor()
    assert.equal(await page.getByRole('button', { name: '101' }).count(), 1, 'the last data stay')
    await page.context().setOffline(false)
    tab.expectClean(/ERR_|Failed to load/)
  })
})
