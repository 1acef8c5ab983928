import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { imageFile, withImage } from './built.ts'
import { checkOf, pairedAndSetUp, pairingCodeOf, plainHotel } from './hotel.ts'
import { type Machine, machine } from './machine.ts'
import { newStick, plugIn, pullOut, textOn } from './stick.ts'

const file = [
  '\ufeffname = "hotel-sample"\r',
  'Time Zone = Europe/Lisbon\r',
  'country = pt\r',
  'colour = red\r',
  '',
].join('\n')

describe('the first start of a box', withImage, () => {
  let box: Machine
  let firstAnswer = 0
  before(async () => {
    box = await machine('first-start', { image: imageFile(), files: { 'nightporter.txt': file } })
    await box.get('/readyz', { status: 200 })
    firstAnswer = box.seconds()
  })
  after(() => box?.kill())

  it('answers over TLS, and no unit has failed', async (test) => {
    test.diagnostic(`power-on to the first answer: ${firstAnswer} s`)
    test.diagnostic(
      await box.shell('systemd-analyze | head -1; grep -E "MemTotal|MemAvailable" /proc/meminfo'),
    )
    assert.equal(await box.shell('systemctl --failed --no-legend'), '')
  })

  it('has taken what nightporter.txt says, and says what it did not understand', async () => {
    assert.equal(await box.shell('cat /proc/sys/kernel/hostname'), 'hotel-sample')
    const settings = JSON.parse(await box.shell('cat /var/lib/nightporter/nightporter.json'))
    assert.deepEqual([settings.timeZone, settings.country], ['Europe/Lisbon', 'PT'])
    const screen = await box.shell('/opt/nightporter/nightporter box screen')
    assert.match(screen, /^NO {2}line 4: colour = red \(not a setting/m)
    assert.match(screen, /^ok {2}line 1: name = "hotel-sample"/m)
  })

  it('shows name, addresses, fingerprint and pairing code on its screen and serial line', async () => {
    const screen = await box.shell('/opt/nightporter/nightporter box screen')
    assert.match(screen, /In service/)
    assert.match(screen, /hotel-sample\.local/)
    assert.match(screen, /https:\/\/10\.0\.2\.15\/setup/)
    assert.match(screen, /([0-9A-F]{4} ){7}[0-9A-F]{4}/)
    const code = /Pairing code {2}(\d{4} \d{4})/.exec(screen)?.[1] ?? 'none'
    assert.ok(box.serial().includes(code), 'the serial line shows the code of the screen')
    const log = await box.shell('journalctl -u nightporter -o cat --no-pager')
    assert.ok(log.includes(code.replace(' ', '')), 'the code is the one that the daemon has made')
    // What stands on the first virtual terminal.
    const shown = await box.shell('cat /dev/vcs1')
    assert.ok(shown.includes(code), `the screen shows:\n${shown}`)
  })

  it('answers at port 80 from a process of its own, without the pairing code', async () => {
    const page = await box.get('/', { port: 80 })
    assert.match(page.text, /In service/)
    assert.doesNotMatch(page.text, /Pairing/i)
    await box.shell('systemctl stop nightporter')
    const stopped = await box.get('/', { port: 80 })
    assert.match(stopped.text, /Stopping|Starting|Not answering/)
    await box.shell('systemctl start nightporter')
    await box.get('/readyz', { status: 200 })
  })

  it('has a root that cannot be written, no open door, and its own things bounded', async () => {
    assert.notEqual((await box.attempt('touch /usr/x')).code, 0)
    assert.equal(await box.shell("awk -F: '$2 !~ /^[!*]/' /etc/shadow | wc -l"), '0')
    assert.equal(await box.shell('ls /usr/sbin/sshd /usr/bin/gcc /usr/bin/cc 2>/dev/null | wc -l'), '0')
    assert.match(await box.shell('cat /proc/swaps'), /zram0/)
    assert.match(await box.shell('wdctl'), /i6300ESB/)
    const open = await box.shell("ss -Htlun | awk '{print $5}'")
    const reachable = open.split('\n').filter((each) => !/^(127\.|\[::1\])/.test(each))
    const ports = new Set(reachable.map((each) => each.split(':').at(-1)))
    assert.deepEqual(
      [...ports].filter((port) => !['443', '80', '5353', '68', '546'].includes(port!)),
      [],
    )
  })

  it('leaves what its screen shows on a stick, until it is paired', async () => {
    const stick = newStick('stick', { megabytes: 64 })
    const code = await pairingCodeOf(box)
    await plugIn(box, stick)
    const shown = () => textOn(stick, 'nightporter-pairing.txt') ?? ''
    for (const end = Date.now() + 900_000; !shown().includes('Pairing code'); await pause(1_000))
      assert.ok(Date.now() < end, `the stick has: ${shown()}`)
    await box.shell('until systemctl -q is-active "nightporter-stick@*"; do sleep 1; done')
    assert.ok(shown().replaceAll(' ', '').includes(code))
    assert.match(shown(), /https:\/\/10\.0\.2\.15\/setup/)
    await pullOut(box)
    assert.equal(await box.shell('systemctl --failed --no-legend'), '')
  })

  it('lets no two commits share a block', async () => {
    const token = await pairedAndSetUp(box, plainHotel)
    assert.equal((await checkOf(box, token, 'storage:commits'))?.observedValue, 'new blocks')
  })

  it('leaves no file on a stick once it is paired', async () => {
    await box.shell('while [ -e /run/nightporter/pairing-code ]; do sleep 1; done')
    const stick = newStick('stick', { megabytes: 64 })
    await plugIn(box, stick)
    await box.shell('until systemctl -q is-active "nightporter-stick@*"; do sleep 1; done')
    assert.equal(textOn(stick, 'nightporter-pairing.txt'), null)
    await pullOut(box)
  })

  it('keeps its id, its name and its data over a restart', async () => {
    const id = await box.shell('cat /etc/machine-id')
    const key = await box.shell('sha256sum /var/lib/nightporter/secret.key')
    await box.shell('systemctl --no-block reboot')
    await box.started()
    await box.get('/readyz', { status: 200 })
    assert.equal(await box.shell('cat /etc/machine-id'), id)
    assert.equal(await box.shell('sha256sum /var/lib/nightporter/secret.key'), key)
    assert.equal(await box.shell('cat /proc/sys/kernel/hostname'), 'hotel-sample')
    assert.equal(await box.shell('systemctl --failed --no-legend'), '')
  })

  it('writes little in an hour without guests, once the hotel is set up', {
    skip: !process.env.NIGHTPORTER_IMAGE_ALL,
  }, async (test) => {
    await box.shell('sync')
    const before = await box.written()
    await pause(3_600_000)
    const megabytes = ((await box.written()) - before) / 1e6
    test.diagnostic(`written in an idle hour: ${megabytes.toFixed(1)} MB`)
    assert.ok(megabytes < 100, `${megabytes} MB`)
  })
})
