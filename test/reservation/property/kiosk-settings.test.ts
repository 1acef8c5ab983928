import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { contrastWithWhite } from '../../../src/resource/values/contrast.ts'
import { startAppliance, type TestAppliance } from '../../appliance.ts'
import { noLimits } from '../../no-limits.ts'
import fc from '../../seed.ts'

let house: TestAppliance
let path: string
before(async () => {
  house = await startAppliance({ rateLimits: noLimits })
  path = `/api/config/v1/settings/${(await house.ask('GET', '/api/config/v1/settings')).body.data[0].id}`
})
after(() => house?.stop())

const save = (kiosk: unknown) => house.ask('PATCH', path, { body: { kiosk } })
const present = async () => (await house.ask('GET', path)).body.data.attributes.kiosk

const whole = {
  accentColor: '#14595f',
  cardSlot: 'right',
  terminal: 'below',
  lift: 'Behind you on the left',
  breakfast: '7:00 - 10:30, ground floor',
  wifi: 'Guests: heather-lamp-42',
}

describe('what the house sets for its kiosks', () => {
  it('is kept, in whole or in part, and is part of the set-up document', async () => {
    const places = fc.constantFrom('left', 'right', 'below')
    const fact = fc.stringMatching(/^[A-Za-z0-9 .:,-]{1,120}$/)
    const drawn = fc.sample(
      fc.record(
        { cardSlot: places, terminal: places, lift: fact, breakfast: fact, wifi: fact },
        { requiredKeys: [] },
      ),
      5,
    )
    for (const kiosk of [
      whole,
      {},
      null,
      { cardSlot: null, accentColor: null },
      ...drawn.map((each) => ({ ...each })),
    ]) {
      const reply = await save(kiosk)
      assert.equal(reply.status, 204, reply.text)
      assert.deepEqual(await present(), kiosk)
    }
    await save(whole)
    const { body } = await house.ask('GET', '/api/config/v1/setup')
    assert.deepEqual(body.data.attributes.document.settings.kiosk, whole)
    const again = await house.ask('POST', '/api/config/v1/setup/actions/apply', {
      body: { settings: { kiosk: { ...whole, cardSlot: 'left' } } },
    })
    assert.equal(again.status, 200, again.text)
    assert.equal((await present()).cardSlot, 'left')
  })

  it('has an accent colour on which white text can be read: the error has the contrast', async () => {
    await save(whole)
    const cases: [color: string, ratio: string][] = [
      ['#ffcc00', '1.51'],
      ['#ffffff', '1.00'],
      ['#FF0000', '3.99'],
      ['#00ff00', '1.37'],
      ['#777777', '4.47'],
      ['#1e90ff', '3.23'],
    ]
    for (const [accentColor, ratio] of cases) {
      const { status, body } = await save({ ...whole, accentColor })
      assert.equal(status, 422)
      const [error] = body.errors
      assert.equal(error.source.pointer.replace('/data/attributes', ''), '/kiosk/accentColor')
      assert.match(error.detail, new RegExp(`${accentColor} with white is ${ratio.replace('.', '\\.')} to 1`))
    }
    assert.deepEqual(await present(), whole, 'nothing was changed')
  })

  it('takes each colour whose contrast is enough, and no other', async () => {
    const colors = fc.sample(fc.integer({ min: 0, max: 0xffffff }), 20)
    const edges = ['#000000', '#767676', '#777777', '#0000ff', '#008a00', '#b8860b']
    for (const accentColor of [...edges, ...colors.map((each) => `#${each.toString(16).padStart(6, '0')}`)]) {
      const { status } = await save({ accentColor })
      assert.equal(status, contrastWithWhite(accentColor) >= 4.5 ? 204 : 422, accentColor)
    }
  })

  it('refuses what it does not know, and names the member', async () => {
    const wrong: [member: string, value: unknown][] = [
      ['accentColor', 'teal'],
      ['accentColor', '#14595'],
      ['accentColor', 'rgb(1,2,3)'],
      ['accentColor', '#14595f;background:url(x)'],
      ['cardSlot', 'above'],
      ['terminal', 5],
      ['wifi', 'x'.repeat(121)],
      ['breakfast', ['7:00']],
      ['theme', 'dark'],
    ]
    for (const [member, value] of wrong) {
      const { status, body, text } = await save({ [member]: value })
      assert.equal(status, 422, text)
      assert.match(body.errors[0].source.pointer, /\/kiosk/)
      assert.match(`${body.errors[0].source.pointer} ${body.errors[0].detail}`, new RegExp(member), text)
    }
  })
})

describe('the contrast of a colour with white', () => {
  for (const [color, ratio] of [
    ['#ffffff', 1],
    ['#000000', 21],
    ['#767676', 4.54],
    ['#ff0000', 4],
    ['#0000ff', 8.59],
    ['#14595f', 8],
  ] as const)
    it(`is ${ratio} to 1 for ${color}`, () => {
      assert.ok(Math.abs(contrastWithWhite(color) - ratio) < 0.01, `${contrastWithWhite(color)}`)
    })
})
