import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { type Reply, startAppliance, type TestAppliance } from '../../appliance.ts'
import { browserForSuite, withoutBrowser } from '../../console/browser.ts'
import { installerAt } from '../../console/installer.ts'
import { monday, settableClock } from '../../test-clock.ts'

/** The steps that most installers skip: a list of rooms, the PMS, and names in the network. */
describe('the set-up with a list of rooms and a PMS', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: TestAppliance
  let pms: Server
  /** What the PMS was asked for. */
  const asked: string[] = []

  before(async () => {
    house = await startAppliance({ sample: false, clock: settableClock(monday) })
    pms = createServer((request, response) => {
      const path = new URL(request.url ?? '', 'http://pms').pathname
      asked.push(`${request.method} ${path}`)
      const flags = ['reservations.read', 'reservations.write', 'sync.full', 'sync.delta']
      const answers: Record<string, object> = {
        '/capabilities': { capabilities: { flags, extensions: [] }, ttlSeconds: 1_800 },
        '/changes': { changes: [], cursor: '0', more: false },
      }
      response.writeHead(answers[path] ? 200 : 404, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify(answers[path] ?? {}))
    })
    pms.listen(0, '127.0.0.1')
    await once(pms, 'listening')
  })
  after(async () => {
    await house?.stop()
    pms?.closeAllConnections()
    pms?.close()
  })

  it('is clicked through', async () => {
    const tab = await browser.open(`${house.appliance.url}/setup`)
    const { page } = tab
    const ida = installerAt(house, tab)
    const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click()
    /** As the person who is signed in. */
    const read = async (path: string) =>
      ((await page.evaluate(`fetch('${path}').then((answer) => answer.json())`)) as Reply['body']).data
    const sees = (text: string | RegExp) => house.during(page.getByText(text).first().waitFor())
    await ida.claims()
    await page.getByLabel('Telephone of the front desk').fill('+351 22 555 0142')
    await ida.describesHouse()
    const [settings] = await read('/api/config/v1/settings')
    assert.equal(settings.attributes.deskPhone, '+351 22 555 0142')

    await press('From a list (CSV)')
    const list = page.getByLabel('Or paste the list here')
    await list.fill('room;type;floor\n101;DBL;1\n102')
    await sees('Line 3 of the list needs a room and a type')
    await list.fill('room;type;floor\n101;DBL;1\n102;DBL;1\nTower;SUI;2')
    await page.getByLabel('People in SUI').fill('3')
    await sees('2 DBL, 1 SUI')
    await press('Save 3 rooms and go on')
    await page.getByRole('heading', { name: 'Key system', level: 1 }).waitFor()
    const units = await read('/api/v2/units?sort=name')
    assert.deepEqual(
      units.map(({ attributes }: { attributes: { name: string; floor: string } }) => [
        attributes.name,
        attributes.floor,
      ]),
      [
        ['101', '1'],
        ['102', '1'],
        ['Tower', '2'],
      ],
    )

    await press('Save the key system')
    await sees('1 rooms have no lock')
    const lock = page.getByLabel('Lock of room Tower')
    await lock.fill('101')
    await press('Save these locks')
    await sees('Its lock would be 101, which is the lock of 101.')
    await lock.fill('301')
    await press('Save these locks')
    await sees('3 rooms have a lock')
    await press('Next')
    await page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor()
    await page.getByLabel('Address', { exact: true }).fill('simulated:dispenser')
    await press('Ask it')
    await sees('It gave no answer that this box knows.')
    await press('Ask it, and let it turn its motor')
    await sees(/^It answers. It is crt571/)
    const address = page.getByLabel('Address', { exact: true })
    await address.fill('simulated:other')
    assert.equal(await page.getByText(/^It answers/).count(), 0, 'the answer was of another address')
    await address.fill('simulated:dispenser')
    const chosen = await page.getByLabel('What is it?').inputValue()
    assert.equal(chosen, 'crt571')
    await page.getByText('Add a payment terminal').click()
    await page.getByLabel('Address of the terminal').fill('nowhere')
    await press('Use this terminal')
    await sees(/tcp:/)
    await page.getByLabel('Address of the terminal').fill('simulated:terminal')
    await press('Use this terminal')
    await sees('json-line, simulated:terminal, any kiosk')
    await ida.skips()
    await page.getByRole('heading', { name: 'PMS', level: 1 }).waitFor()
    await page.getByLabel('Which PMS').selectOption('cloudevents')
    await page.getByLabel(/base url/i).fill(`http://127.0.0.1:${(pms.address() as AddressInfo).port}`)
    await press('Save')
    await sees('Switched off')
    await press('Try it: fetch, and send nothing')
    await sees(/^0 messages came, .* Nothing was sent to the PMS/)
    assert.ok(asked.includes('GET /changes'), asked.join())
    assert.ok(!asked.some((each) => each.startsWith('POST /offers')), asked.join())
    await sees('Only fetches')
    await press('Send changes as well')
    await sees('In step, both ways')
    await press('Switch off')
    await sees('Switched off')

    await press('Next')
    await page.getByRole('heading', { name: 'Network', level: 1 }).waitFor()
    await sees('The box is reached from this machine only')
    assert.equal(await page.getByLabel('Further names of the box').count(), 0, 'nothing that the box refuses')
    await ida.skips()
    await page.getByRole('heading', { name: 'Staff', level: 1 }).waitFor()
    tab.expectClean(/422/)
    await tab.close()
  })
})
