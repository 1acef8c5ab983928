import assert from 'node:assert/strict'
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { signingKeys } from '../../image/keys.ts'
import { brokenKinds, kindOfCommit, migrate } from './broken.ts'
import { bundleOf, imageFile, withImage } from './built.ts'
import { servedAt, serveFolder } from './bundle-server.ts'
import { book, configure, keptSheet, pairedAndSetUp, plainHotel, put } from './hotel.ts'
import { type Machine, machine } from './machine.ts'
import { type Channel, newChannel, newKey, offer, smallBundle, strangeKeys, updatesOf } from './updates.ts'

/** Says when the system of the box ends a trial, in seconds from the start of the machine. */
const limitFile = '/var/lib/nightporter-box/limit-of-test'

describe('an update of a box', withImage, () => {
  let channel: Channel
  let box: Machine
  let server: Server
  let updates: ReturnType<typeof updatesOf>
  let good = ''
  /** How long the box took to start, in seconds. */
  let start = 0

  before(async () => {
    channel = newChannel('channel')
    good = await bundleOf('0.7.0', (configuration) => migrate(configuration, 1))
    server = await serveFolder(channel.folder)
    const credentials = {
      'systemd.unit-dropin.nightporter-trial.service': `[Service]\nEnvironmentFile=-${limitFile}\n`,
    }
    box = await machine('update', { image: imageFile(), credentials, watchdogSeconds: 120 })
    await box.get('/readyz', { status: 200 })
    start = Number(await box.shell('cut -d. -f1 /proc/uptime'))
    const token = await pairedAndSetUp(box, plainHotel)
    updates = updatesOf(box, token)
    for (const number of ['A-1', 'A-2', 'A-3']) await book(box, token, number)
    await keptSheet(box, token)
    await configure(box, { update: { from: servedAt, keys: [channel.publicKey], automatic: 'none' } })
  })
  after(async () => {
    await box?.kill()
    server?.close()
  })

  /** Tries an update that fails before the restart, and proves that nothing has changed. */
  async function failsWith(reason: RegExp): Promise<void> {
    const [before, count] = [await updates.kept(), (await updates.ends()).length]
    await updates.install()
    const { result, reason: text } = await updates.ended()
    assert.equal(result, 'failed')
    assert.match(text ?? '', reason)
    assert.equal(await box.shell('/usr/lib/nightporter-box/boot get-primary'), await updates.slot())
    assert.equal(await updates.kept(), before)
    const events = await updates.ends()
    assert.equal(events.length, count + 1)
    assert.deepEqual([events.at(-1)!.result, events.at(-1)!.reason], ['failed', text])
  }

  it('does not begin with a channel that another key has signed', async () => {
    await offer({ ...channel, ...newKey('other.key') }, '0.7.0', good)
    await assert.rejects(updates.install(), /not signed with a key/)
    assert.deepEqual(await updates.ends(), [])
  })

  it('fails with a bundle whose signature is of a stranger or broken', async () => {
    await offer(channel, '0.7.0', smallBundle(strangeKeys()))
    await failsWith(/sign/i)

    const bundle = smallBundle(signingKeys())
    const bytes = readFileSync(bundle)
    // The signature is in the last kilobytes.
    writeFileSync(bundle, bytes.fill(0x41, bytes.length - 400, bytes.length - 300))
    await offer(channel, '0.7.0', bundle)
    await failsWith(/sign/i)
  })

  it('fails with a bundle that is cut, or for which the disk has no room', async () => {
    const bundle = await offer(channel, '0.7.0', good)
    truncateSync(bundle, Math.floor(statSync(bundle).size / 2))
    await failsWith(/bytes|cut|size|ended/i)

    await offer(channel, '0.7.0', good)
    await box.shell(
      'fallocate -l $(($(df --output=avail -B1 /var | tail -1) - 300000000)) /var/lib/filling && df -h /var',
    )
    await failsWith(/space|free|full/i)
    await box.shell('rm /var/lib/filling')
  })

  it('writes the other slot from the network, starts it once on trial, migrates, and keeps it because the box is well', async (test) => {
    const [before, count] = [await updates.kept(), (await updates.ends()).length]
    const since = Date.now()
    await offer(channel, '0.7.0', good)
    await updates.install()
    const { result, version: ofUpdate, reason } = await updates.ended()
    test.diagnostic(`from the order to its confirmation: ${Math.round((Date.now() - since) / 1_000)} s`)
    assert.deepEqual([result, ofUpdate, reason], ['confirmed', '0.7.0', null])
    assert.deepEqual([await updates.slot(), await updates.version()], ['B', '0.7.0'])
    assert.equal(await box.shell('/usr/lib/nightporter-box/boot get-default'), 'B')
    assert.equal(await updates.kept(), before)
    assert.deepEqual(
      (await updates.ends()).slice(count).map(({ result, to }) => [result, to]),
      [['confirmed', '0.7.0']],
    )
    assert.match(await box.shell('ls /var/lib/nightporter'), /before-migration|migration/)
    assert.equal(await box.shell('systemctl --failed --no-legend'), '')
  })

  it('does not go back to an older version', async () => {
    await offer(channel, '0.6.5', good)
    await assert.rejects(updates.install(), /0\.6\.5/)
  })

  for (const [kind, { version: ofBroken, spoil, reason, isJudgedByDaemon }] of Object.entries(brokenKinds)) {
    const isTurn = process.env.NIGHTPORTER_IMAGE_ALL || kind === kindOfCommit()
    it(`leaves a version that ${kind}, with its data and one reason`, { skip: !isTurn }, async (test) => {
      const bundle = await bundleOf(ofBroken, (configuration) => {
        migrate(configuration, 2)
        spoil(configuration)
      })
      const [before, count] = [await updates.kept(), (await updates.ends()).length]
      await offer(channel, ofBroken, bundle)
      // A daemon that does not run needs no time to judge itself.
      await put(box, limitFile, `LIMIT=${isJudgedByDaemon ? 3 * start + 60 : 60}\n`)
      const since = Date.now()
      await updates.install()
      const last = await updates.ended()
      test.diagnostic(
        `from the order until the old version says why: ${Math.round((Date.now() - since) / 1_000)} s`,
      )
      test.diagnostic(`reason: ${last.reason}`)
      assert.equal(last.result, 'rolled-back')
      assert.match(last.reason ?? '', reason)
      assert.deepEqual([await updates.slot(), await updates.version()], ['B', '0.7.0'])
      assert.equal(await updates.kept(), before)
      const events = await updates.ends()
      assert.equal(events.length, count + 1)
      assert.deepEqual([events.at(-1)!.result, events.at(-1)!.reason], ['rolled-back', last.reason])
      assert.equal(await box.shell('systemctl --failed --no-legend'), '')
    })
  }
})
