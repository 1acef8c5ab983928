import assert from 'node:assert/strict'
import { startAppliance, type TestAppliance, type TestOptions } from '../../appliance.ts'
import { type Browser, browserAt } from './browser.ts'

export const password = 'velvet kettle anthem orbit'
export const passcode = '628394'
export const accounts = '/api/config/v1/accounts'
export const stations = '/api/config/v1/stations'

/** A property with an owner, and a browser in which she is signed in. */
export interface Staffed {
  house: TestAppliance
  ida: Browser
  /** Adds a member of the staff, who has set a password and the passcode. Returns the id. */
  add(name: string, role: string, more?: object): Promise<string>
  /** Makes a browser a station, and returns it. */
  station(name: string, kind?: string): Promise<Browser & { stationId: string }>
}

export async function staffed(options: TestOptions = {}): Promise<Staffed> {
  const house = await startAppliance({ sample: false, timeZone: 'Europe/Lisbon', country: 'PT', ...options })
  const ida = browserAt(house)
  const claim = await ida.act('claim', { code: house.appliance.pairingCode, name: 'Ida', password, passcode })
  assert.equal(claim.status, 201, claim.text)
  return {
    house,
    ida,
    async add(name, role, more = {}) {
      await ida.signIn('Ida', { password })
      const made = await ida.post(accounts, { name, role, ...more })
      assert.equal(made.status, 201, made.text)
      const { code } = made.body.meta
      const own = browserAt(house)
      const set = await own.act('redeem-code', {
        account: name,
        code,
        newPassword: password,
        newPasscode: passcode,
      })
      assert.equal(set.status, 201, set.text)
      await own.ask('DELETE', '/api/v2/session')
      return made.body.data.id
    },
    async station(name, kind = 'desk') {
      await ida.signIn('Ida', { password })
      const made = await ida.post(stations, { name, kind })
      assert.equal(made.status, 201, made.text)
      const browser = browserAt(house)
      const enrolled = await browser.act('enrol-station', { code: made.body.meta.code })
      assert.equal(enrolled.status, 200, enrolled.text)
      return Object.assign(browser, { stationId: made.body.data.id as string })
    },
  }
}
