import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { nothingKnown, type TimeSync, timeSync } from '../../src/host/time-sync.ts'

const folder = mkdtempSync(join(tmpdir(), 'time-sync-'))
after(() => rmSync(folder, { recursive: true }))

const tracked = (offset: string, leap: string) =>
  `A9FEA97B,time.example,3,1780000000.1,${offset},0.0001,0.0001,-10.1,0.01,0.05,0.01,0.02,64.2,${leap}`

/** When a server was heard, Unix milliseconds. */
const touched = 1_780_000_100_000

interface Row {
  name: string
  files: string[]
  /** What `chronyc -c tracking` says; null for one that fails. */
  chrony?: string | null
  is: Partial<TimeSync>
}

const rows: Row[] = [
  { name: 'nobody who sets it', files: [], is: { source: null, skewMs: null, synced: null, syncedAt: null } },
  {
    name: 'timesyncd that has set it',
    files: ['run/systemd/timesync/synchronized'],
    is: { source: 'systemd-timesyncd', skewMs: null, synced: true, syncedAt: touched },
  },
  {
    name: 'timesyncd that found no server',
    files: ['run/systemd/timesync/other'],
    is: { source: 'systemd-timesyncd', skewMs: null, synced: false, syncedAt: null },
  },
  {
    name: 'chrony that follows a server, the clock being slow',
    files: ['run/chrony/chronyd.pid'],
    chrony: tracked('0.012600000', 'Normal'),
    is: { source: 'chrony', skewMs: 13, synced: true, syncedAt: 1_780_000_000_100 },
  },
  {
    name: 'chrony, the clock being fast',
    files: ['run/chrony/chronyd.pid'],
    chrony: tracked('-2.5', 'Insert second'),
    is: { source: 'chrony', skewMs: 2_500, synced: true, syncedAt: 1_780_000_000_100 },
  },
  {
    name: 'chrony that follows nobody',
    files: ['run/chrony/chronyd.pid'],
    chrony: tracked('0.0', 'Not synchronised'),
    is: { source: 'chrony', skewMs: null, synced: false, syncedAt: null },
  },
  {
    name: 'chrony that does not answer',
    files: ['run/chrony/chronyd.pid'],
    chrony: null,
    is: { source: 'chrony', skewMs: null, synced: null, syncedAt: null },
  },
  {
    name: 'chrony that says something else',
    files: ['run/chrony/chronyd.pid'],
    chrony: '506 Cannot talk to daemon',
    is: { source: 'chrony', skewMs: null, synced: null, syncedAt: null },
  },
]

describe('the clock of a box with', () => {
  for (const [index, { name, files, chrony, is }] of rows.entries()) {
    it(name, async () => {
      const root = join(folder, String(index))
      for (const file of files) {
        mkdirSync(dirname(join(root, file)), { recursive: true })
        writeFileSync(join(root, file), '')
        utimesSync(join(root, file), touched / 1_000, touched / 1_000)
      }
      const command = join(folder, `chronyc-${index}`)
      writeFileSync(command, chrony === null ? '#!/bin/sh\nexit 1\n' : `#!/bin/sh\necho '${chrony}'\n`)
      chmodSync(command, 0o755)
      assert.deepEqual(await timeSync({ root, command }), { ...nothingKnown, ...is })
    })
  }

  it('a start of the machine and a battery-backed clock', async () => {
    const root = join(folder, 'kernel')
    const files = {
      'proc/sys/kernel/random/boot_id': '4f2c6a1e-0000-4000-8000-000000000001\n',
      'proc/uptime': '3600.25 7000.00\n',
      'sys/class/rtc/rtc0/since_epoch': '1780000000\n',
    }
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, file)), { recursive: true })
      writeFileSync(join(root, file), text)
    }
    assert.partialDeepStrictEqual(await timeSync({ root }), {
      boot: { id: '4f2c6a1e-0000-4000-8000-000000000001', upMs: 3_600_250 },
      rtcAt: 1_780_000_000_000,
    })
  })

  it('a kernel that says something else', async () => {
    const root = join(folder, 'odd')
    for (const file of ['proc/sys/kernel/random/boot_id', 'proc/uptime', 'sys/class/rtc/rtc0/since_epoch']) {
      mkdirSync(dirname(join(root, file)), { recursive: true })
      writeFileSync(join(root, file), 'none')
    }
    assert.deepEqual(await timeSync({ root }), nothingKnown)
  })
})
