import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import fc, { seed } from '../seed.ts'
import { browserForSuite, type Tab, withoutBrowser } from './browser.ts'
import { type KioskHouse, kioskHouse } from './kiosk-house.ts'

const [drawn] = fc.sample(fc.integer({ min: 2, max: 12 }), { numRuns: 1, seed })
const dayAfter = (days: number) => Temporal.PlainDate.from('2026-06-01').add({ days }).toString()

describe('the rack', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  let tab: Tab
  before(async () => {
    house = await kioskHouse()
  })
  after(() => house?.stop())
  afterEach(() => tab?.close())

  async function open(): Promise<Page> {
    tab = await browser.openAgain(`${house.appliance.url}/desk#/rack`)
    await house.during(tab.page.locator('.rack-row[id]').first().waitFor())
    return tab.page
  }
  const cells = (page: Page, name: string) =>
    page.locator('.rack-head .rack-row').filter({ hasText: name }).getByRole('gridcell').allTextContents()

  /** The free rooms of a night, as the box counts them. */
  async function freeOn(date: string): Promise<number> {
    const range = `filter[startDate]=${date}&filter[endDate]=${date}`
    const { body } = await house.ask('GET', `/api/v2/availability/unit-types?${range}&page[size]=100`)
    const all: { attributes: { quantity: number } }[] = body.data
    return all.reduce((sum, { attributes: { quantity } }) => sum + Math.max(0, quantity), 0)
  }

  it('shows in each night the free rooms and the occupancy, with one look-up, as Today counts them', async () => {
    for (const days of [0, 1, drawn!])
      await house.arrival({ startDate: dayAfter(days), endDate: dayAfter(days + 2) })
    const units = (await house.ask('GET', '/api/v2/units?page[size]=100&sort=-name')).body.data
    const path = `/api/v2/availability/units/${units[0].id}`
    const block = { startDate: dayAfter(2), endDate: dayAfter(3), quantity: 0, reason: 'Painting' }
    const blocked = await house.ask('PATCH', path, { body: [block] })
    assert.equal(blocked.status, 204, blocked.text)
    const page = await open()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.reload()
    await house.during(page.locator('.rack-row[id]').first().waitFor())
    assert.equal(asked.filter((path) => path === '/api/v2/availability/unit-types').length, 1)
    const free = (await cells(page, 'Free rooms')).map(Number)
    const occupied = await cells(page, 'Occupied')
    assert.equal(free.length, 14)
    for (const days of [0, 1, 2, 3, drawn!, 13]) {
      const left = await freeOn(dayAfter(days))
      assert.equal(free[days], left, dayAfter(days))
      const rooms = units.length - (days === 2 || days === 3 ? 1 : 0)
      assert.equal(occupied[days], `${Math.round((100 * (rooms - left)) / rooms)}%`, dayAfter(days))
    }
    const freed = await house.ask('PATCH', path, { body: [{ ...block, quantity: 1 }] })
    assert.equal(freed.status, 204, freed.text)
    await page.goto(`${house.appliance.url}/desk#/today`)
    await page.getByRole('link', { name: `Free tonight ${free[0]}`, exact: true }).waitFor()
    tab.expectClean()
  })

  it('groups the rooms by type, with the number of its rooms and of those that are free in each night', async () => {
    const types = (await house.ask('GET', '/api/v2/unit-types?sort=code')).body.data
    const units = (await house.ask('GET', '/api/v2/units?page[size]=100&sort=name')).body.data
    const free = (
      await house.ask(
        'GET',
        `/api/v2/availability/unit-types?filter[startDate]=${dayAfter(0)}&filter[endDate]=${dayAfter(13)}&page[size]=100`,
      )
    ).body.data
    const page = await open()
    for (const { id, attributes } of types) {
      const own = units.filter((each: Unit) => each.attributes.unitTypeId === id)
      const group = page
        .locator('.rack-group')
        .filter({ hasText: `${attributes.name} ${attributes.code} (${own.length})` })
      assert.deepEqual(
        await group.locator('.rack-row[id] strong').allTextContents(),
        own.map((each: Unit) => each.attributes.name),
      )
      const counts = await group.locator('.type').getByRole('gridcell').allTextContents()
      for (const days of [0, 1, 5, 12, 13, drawn!]) {
        const period = free.find(
          ({ attributes: { startDate, endDate }, relationships }: Period) =>
            relationships.unitType.data.id === id && startDate <= dayAfter(days) && dayAfter(days) <= endDate,
        )
        assert.equal(
          counts[days],
          `${period.attributes.quantity} free`,
          `${attributes.code} ${dayAfter(days)}`,
        )
      }
    }
    tab.expectClean()
  })

  it('folds the stays without a room, marks today, and draws rows of 28 pixels', async () => {
    const waiting = (
      await house.ask('GET', '/api/v2/stays?filter[status]=Confirmed&page[size]=100')
    ).body.data.filter(({ attributes }: { attributes: { units: { unitId: string | null }[] } }) =>
      attributes.units.some(({ unitId }) => !unitId),
    ).length
    assert.ok(waiting > 0)
    const page = await open()
    const fold = page.getByRole('button', { name: `Without a room: ${waiting}`, exact: true })
    assert.equal(await fold.getAttribute('aria-expanded'), 'false')
    assert.equal(await page.locator('.waiting .bar').count(), 0)
    await fold.click()
    assert.equal(await page.locator('.waiting .bar').count(), waiting)
    await fold.click()
    assert.equal(await page.locator('.waiting .bar').count(), 0)
    assert.match((await page.locator('[aria-current=date]').textContent())!, /1/)
    assert.equal(await page.locator('.rack-column').count(), 14)
    assert.deepEqual(
      await page.evaluate<string[]>(
        "[...document.querySelectorAll('.rack-column')].map((each) => each.className)",
      ),
      Array.from(
        { length: 14 },
        (_, day) =>
          `rack-column${[5, 6, 12, 13].includes(day) ? ' weekend' : ''}${day === 0 ? ' today' : ''}`,
      ),
    )
    const { height } = (await page.locator('.rack-row[id]').nth(3).boundingBox())!
    assert.ok(Math.abs(height - 28) <= 1, `${height}`)
    tab.expectClean()
  })

  it('writes the last name on a bar of one night, and all of it and the state for a screen reader', async () => {
    const lastNames = [
      'Li',
      'Lindström',
      'O’Brien-Smith',
      'García Márquez',
      'Nguyễn',
      `Q${'x'.repeat(drawn!)}`,
    ]
    const rooms = new Map<string, Unit>()
    for (const lastName of lastNames) {
      const unit = await freeRoom()
      rooms.set(lastName, unit)
      await house.arrival({
        startDate: dayAfter(4),
        endDate: dayAfter(5),
        units: [{ unitTypeId: unit.attributes.unitTypeId, unitId: unit.id }],
        profiles: [{ role: 'PrimaryGuest', firstName: 'Ada', lastName }],
      })
    }
    const page = await open()
    for (const [lastName, unit] of rooms) {
      const bar = page.locator(`#room-${unit.id} .bar`)
      assert.equal(await bar.textContent(), lastName)
      assert.equal(
        await bar.getAttribute('aria-label'),
        `${lastName}, Ada, Expected, ${unit.attributes.name}, 5 Jun – 6 Jun`,
      )
    }
    // A window of 1280 at 200 %.
    const usual = page.viewportSize()!
    await page.setViewportSize({ width: 640, height: 450 })
    const { width } = (await page.locator(`#room-${rooms.get('Lindström')!.id} .bar`).boundingBox())!
    await page.setViewportSize(usual)
    assert.ok(width >= 6 * 16, `${width}: a stay of one night has room for a name`)
    tab.expectClean()
  })

  it('keeps the occupancy in sight', async () => {
    const page = await open()
    const scroll = page.locator('.rack-scroll')
    await page.evaluate("document.querySelector('.rack-scroll').scrollTo(0, 100_000)")
    const [head, box] = [await page.locator('.rack-head').boundingBox(), await scroll.boundingBox()]
    assert.ok(Math.abs(head!.y - box!.y) < 3, `${head!.y} ${box!.y}`)
    tab.expectClean()
  })

  interface Period {
    attributes: { startDate: string; endDate: string; quantity: number }
    relationships: { unitType: { data: { id: string } } }
  }
  interface Unit {
    id: string
    attributes: { name: string; unitTypeId: string }
  }
  /** A room that is free on all days that the rack shows. */
  async function freeRoom(): Promise<Unit> {
    const range = `filter[startDate]=${dayAfter(0)}&filter[endDate]=${dayAfter(13)}`
    const path = `/api/v2/availability/units?${range}&include=unit&page[size]=100`
    const { data, included } = (await house.ask('GET', path)).body
    const taken = data.flatMap(
      (each: { attributes: { quantity: number }; relationships: { unit: { data: { id: string } } } }) =>
        each.attributes.quantity < 1 ? each.relationships.unit.data.id : [],
    )
    return included.find(({ id }: Unit) => !taken.includes(id))
  }

  /** The middle of an empty night of a room. */
  async function nightOf(page: Page, { id }: Unit, days: number): Promise<[x: number, y: number]> {
    const row = page.locator(`#room-${id}`)
    await row.scrollIntoViewIfNeeded()
    const [day, room] = [await page.locator('.rack-day').nth(days).boundingBox(), await row.boundingBox()]
    return [day!.x + day!.width / 2, room!.y + room!.height / 2]
  }

  async function booked(page: Page, lastName: string) {
    const dialog = page.getByRole('dialog')
    await page.keyboard.type(lastName)
    assert.equal(await dialog.getByLabel('Last name').inputValue(), lastName)
    await house.during(dialog.getByLabel('Room', { exact: true }).waitFor())
    await dialog.getByRole('button', { name: 'Book', exact: true }).click()
    await house.during(page.locator('#sheet').getByText(lastName).first().waitFor())
    const [, id] = /stay\/([^/]+)/.exec(page.url())!
    const { status, startDate, endDate, units } = (await house.ask('GET', `/api/v2/stays/${id}`)).body.data
      .attributes
    return { status, startDate, endDate, unitId: units[0].unitId }
  }

  for (const [days, nights] of [
    [1, 1],
    [0, 1],
    [13, 1],
    [3, 4],
    [drawn!, 1],
    [0, drawn!],
  ] as const) {
    it(`books ${nights} nights from an empty night of day ${days}, by the pointer`, async () => {
      const unit = await freeRoom()
      const page = await open()
      const [x, y] = await nightOf(page, unit, days)
      await page.mouse.move(x, y)
      await page.mouse.down()
      if (nights > 1) {
        const [end] = await nightOf(page, unit, days + nights - 1)
        await page.mouse.move((x + end) / 2, y)
        await page.mouse.move(end, y)
      }
      await page.mouse.up()
      const dialog = page.getByRole('dialog', { name: `New booking: ${unit.attributes.name}` })
      assert.equal(await dialog.getByLabel('Arrival').inputValue(), dayAfter(days))
      assert.equal(await dialog.getByLabel('Departure').inputValue(), dayAfter(days + nights))
      assert.deepEqual(await booked(page, `Pointer${days}`), {
        status: 'Confirmed',
        startDate: dayAfter(days),
        endDate: dayAfter(days + nights),
        unitId: unit.id,
      })
      tab.expectClean()
    })
  }

  it('books an empty night by the keyboard', async () => {
    const page = await open()
    await page.keyboard.press('b')
    const cell = page.locator('#rack-new')
    await cell.waitFor()
    const unit = await freeRoom()
    const name = (text: string | null) => /New booking: (.*?), (.*), (\d+) night/.exec(text ?? '')!
    const rooms = (await page.locator('.rack-row[id] strong').allTextContents()) as string[]
    const [, from] = name(await cell.textContent())
    const steps = rooms.indexOf(unit.attributes.name) - rooms.indexOf(from!)
    for (let step = 0; step < Math.abs(steps); step++)
      await page.keyboard.press(steps < 0 ? 'ArrowUp' : 'ArrowDown')
    for (const key of ['+', '+', '-']) await page.keyboard.press(key)
    for (let step = 0; step < 14; step++) await page.keyboard.press('ArrowLeft')
    for (const key of ['ArrowRight', 'ArrowRight']) await page.keyboard.press(key)
    await cell.getByText(new RegExp(`New booking: ${unit.attributes.name}, Wed,? 3 Jun, 2 nights`)).waitFor()
    await page.keyboard.press('Enter')
    assert.deepEqual(await booked(page, 'Keyboard'), {
      status: 'Confirmed',
      startDate: dayAfter(2),
      endDate: dayAfter(4),
      unitId: unit.id,
    })
    tab.expectClean()
  })

  it('shows why the box refuses a room that is taken meanwhile, and keeps what was written', async () => {
    const unit = await freeRoom()
    const page = await open()
    const [x, y] = await nightOf(page, unit, 5)
    await page.mouse.click(x, y)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Last name').fill('Slow')
    const { unitTypeId } = unit.attributes
    await house.arrival({
      startDate: dayAfter(5),
      endDate: dayAfter(6),
      units: [{ unitTypeId, unitId: unit.id }],
    })
    await house.during(dialog.getByText('this room is taken. Choose another one.').waitFor())
    await dialog.getByRole('button', { name: 'Book', exact: true }).click()
    await house.during(dialog.getByText('What you wrote is kept').waitFor())
    assert.equal(await dialog.getByLabel('Last name').inputValue(), 'Slow')
    await dialog.getByLabel('Room', { exact: true }).selectOption({ index: 1 })
    await dialog.getByLabel('Last name').fill('')
    const made = await booked(page, 'Slow')
    assert.notEqual(made.unitId, unit.id)
    tab.expectClean(/409|422/)
  })

  it('books no night that is over', async () => {
    const unit = await freeRoom()
    const page = await open()
    await page.keyboard.press('[')
    await house.during(page.locator('.rack-day').first().getByText(/25/).waitFor())
    await page.locator(`#room-${unit.id}`).waitFor()
    const [x, y] = await nightOf(page, unit, 2)
    await page.mouse.click(x, y)
    assert.equal(await page.getByRole('dialog').count(), 0)
    assert.equal(await page.locator('#rack-new').count(), 0)
    tab.expectClean()
  })
})
