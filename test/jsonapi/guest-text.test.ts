import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type GuestWord, guestWords } from '../../src/devices/fault.ts'
import { guestText, guestTexts } from '../../src/jsonapi/locales/guest-text.ts'
import { languages } from '../../src/jsonapi/locales/language.ts'
import { blankCards } from '../../src/simulators/devices/simulated-card.ts'
import { idle, withDoors } from '../access/house-with-doors.ts'
import { openHouse } from '../reservation/api/house.ts'
import { play } from './scenario.ts'

describe('the sentence for a guest', () => {
  it('exists in every language for every word, and for no other', () => {
    assert.deepEqual(Object.keys(guestTexts()).sort(), Object.keys(guestWords).sort())
    for (const [word, texts] of Object.entries(guestTexts())) {
      assert.deepEqual(Object.keys(texts).sort(), [...languages].sort(), word)
      assert.equal(new Set(Object.values(texts)).size, languages.length, word)
    }
  })

  it('is short and polite, and names nothing technical', () => {
    const polite = /please|bitte|por favor|veuillez|s’il vous plaît/i
    const technical = /encod|dispens|lock|error|fehler|erreur|fallo|erro\b|system|writ|schreib|jam|\d/i
    for (const text of Object.values(guestTexts()).flatMap((each) => Object.values(each))) {
      assert.ok(text.length <= 100, text)
      assert.match(text, polite)
      assert.doesNotMatch(text, technical)
    }
  })

  it('is in the language of the header, else in that of the profile, else in English', () => {
    const language = (header?: string, profile?: string | null) =>
      guestText('desk', header, profile)?.guestLanguage
    assert.equal(language('de-CH, en;q=0.5', 'pt'), 'de')
    assert.equal(language(undefined, 'pt'), 'pt')
    assert.equal(language('*', 'fr'), 'fr')
    assert.equal(language('nl', 'fr'), 'fr')
    assert.equal(language('nl', 'nl'), 'en')
    assert.equal(language(undefined, null), 'en')
    assert.equal(guestText('anything', 'de'), null)
    assert.equal(guestText('toString', 'de'), null)
  })

  it('is in the answer about the key of a stay, in the language of its guest', async () => {
    const house = await openHouse()
    try {
      const doors = await withDoors(house, house.data, house.clock.now)
      const { unitTypeId, unitIds } = await house.rooms(1)
      const profiles = [{ firstName: 'Rui', lastName: 'Silva', languageCode: 'pt', role: 'PrimaryGuest' }]
      const units = [{ unitTypeId, unitId: unitIds[0] }]
      const dates = { startDate: '2026-06-01', endDate: '2026-06-03' }
      await house.stay({ units, externalId: 'RUI', profiles, ...dates })
      const { name } = await house.attributes(`/api/v2/units/${unitIds[0]}`)
      house.lobby.dispenser.stack.splice(0)
      const path = `/api/v2/access/controllers/${doors.controllerId}/key`
      const body = { type: 'keyCard', unitName: name, original: true, ...dates }
      const ask = async (method: string, to: string, more: object, headers = {}) => {
        const reply = await house.ask(method, to, { body: { ...body, ...more }, headers })
        assert.equal(reply.status, 502, reply.text)
        return reply.body.errors[0].meta.guestText
      }
      // The unit of the test has no lock, which the desk must see to.
      const { desk } = guestTexts()
      const byStay = `${path}s/by-reservation/RUI`
      assert.equal(await ask('PUT', byStay, {}), desk?.pt)
      assert.equal(await ask('PUT', byStay, {}, { 'Accept-Language': 'de' }), desk?.de)
      assert.equal(await ask('POST', path, { externalId: 'RUI' }), desk?.pt)
      assert.equal(await ask('POST', path, { externalId: 'NOBODY' }), desk?.en)
      const provider = `/api/config/v1/access-providers/${doors.providerId}`
      const unitMapping = [{ unitName: name, externalCode: '77' }]
      assert.equal((await house.ask('PATCH', provider, { body: { unitMapping } })).status, 204)
      house.lobby.dispenser.stack.push(...blankCards(1, null, 'classic'))
      const made = await house.ask('POST', path, { body: { ...body, externalId: 'RUI' } })
      assert.equal(made.status, 201, made.text)
      await idle(doors)
      await idle(doors)
      const again = `/api/v2/access/keys/${made.body.data.id}/actions/reencode`
      const refused = await house.ask('POST', again, { body: {} })
      const { guest, guestText: said } = refused.body.errors[0].meta
      assert.deepEqual([refused.status, said], [502, guestTexts()[guest as GuestWord]?.pt], refused.text)
    } finally {
      await house.stop()
    }
  })
})

describe('the word for a guest', () => {
  play([
    {
      name: 'is explained where its code is',
      ask: 'GET /problems/no-card',
      headers: { 'Accept-Language': 'es' },
      token: null,
      status: 200,
      holds: {
        data: {
          attributes: {
            guest: 'place-card',
            guestMeaning: guestWords['place-card'],
            guestText: guestTexts()['place-card']?.es,
            guestLanguage: 'es',
          },
        },
      },
    },
  ])
})
