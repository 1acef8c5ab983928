import assert from 'node:assert/strict'
import { it } from 'node:test'
import { drivers } from '../../../src/composition/drivers.ts'
import { reachProblem } from '../../../src/devices/network/reach.ts'

for (const driver of drivers.filter(({ joins }) => joins === undefined))
  it(`a ${driver.name} is looked for where it can be`, () => {
    assert.equal(reachProblem(driver, 'tcp://127.0.0.1:4001'), null)
    assert.equal(reachProblem(driver, 'simulated:encoder'), null)
    const [line, hid] = ['/dev/serial/by-id/x', 'hid://ffff:0035'].map((path) => reachProblem(driver, path))
    assert.equal(line === null, driver.serial !== undefined, String(line))
    assert.equal(hid === null, driver.hid !== undefined, String(hid))
    const said = line ?? hid
    if (said) assert.match(said, driver.hid ? /hid:\/\/[\da-f]{4}:[\da-f]{4}/ : /serial line/)
  })
