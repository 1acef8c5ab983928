import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { migrate } from './broken.ts'
import { bundleOf, imageFile, onlyAll } from './built.ts'
import { configure, keptSheet, pairedAndSetUp, plainHotel } from './hotel.ts'
import { machine } from './machine.ts'
import { newStick, plugIn, pullOut } from './stick.ts'
import { newChannel, offer, updatesOf } from './updates.ts'

describe('a box without the internet', onlyAll, () => {
  it('is updated from a USB stick', async (test) => {
    const channel = newChannel('channel-of-stick')
    await offer(channel, '0.7.0', await bundleOf('0.7.0', (configuration) => migrate(configuration, 1)))
    const box = await machine('stick', { image: imageFile() })
    test.after(() => box.kill())
    await box.get('/readyz', { status: 200 })
    const token = await pairedAndSetUp(box, plainHotel)
    await keptSheet(box, token)
    await configure(box, { update: { keys: [channel.publicKey], automatic: 'none' } })
    await plugIn(box, newStick('stick-of-updates', { megabytes: 400, folder: channel.folder }))
    await box.shell('until [ -e /media/nightporter/channels/stable.json ]; do sleep 1; done')

    const updates = updatesOf(box, token)
    const before = await updates.kept()
    await updates.install()
    const { result, reason } = await updates.ended()
    assert.deepEqual([result, reason], ['confirmed', null])
    assert.equal(await updates.version(), '0.7.0')
    assert.equal(await updates.kept(), before)
    await pullOut(box)
    assert.equal(await box.shell('systemctl --failed --no-legend'), '')
  })
})
