import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { histogram, observe } from '../../../src/host/histogram.ts'
import { deviceName, diskWear } from '../../../src/host/machine/disk-wear.ts'
import { distinct } from '../../../src/status/metrics/device-metrics.ts'
import { openMetrics } from '../../../src/status/metrics/open-metrics.ts'
import { requestDurations } from '../../../src/status/metrics/request-durations.ts'
import { parseOpenMetrics } from './parse-open-metrics.ts'

describe('the text of metrics', () => {
  it('keeps quotes, backslashes and line breaks, and writes each type as the format says', () => {
    const durations = histogram([0.5, 1])
    for (const value of [0.5, 0.6, 3]) observe(durations, value)
    const label = 'a "b" \\ c\nd, e="f"} 1'
    const text = openMetrics([
      { name: 'a_build', type: 'info', help: 'Said "so" \\ \n', samples: [{ labels: { label }, value: 1 }] },
      { name: 'a_bytes', type: 'counter', unit: 'bytes', help: 'Bytes', samples: [{ value: 2 ** 53 - 1 }] },
      { name: 'a_none', type: 'gauge', help: 'Nothing yet', samples: [] },
      {
        name: 'a_seconds',
        type: 'histogram',
        unit: 'seconds',
        help: 'Time',
        samples: [{ value: durations }],
      },
    ])
    const families = parseOpenMetrics(text)
    assert.equal(JSON.parse(`"${families.get('a_build')!.samples[0]!.labels.label}"`), label)
    assert.deepEqual(
      families.get('a_seconds')!.samples.map(({ name, labels, value }) => [name, labels.le, value]),
      [
        ['a_seconds_bucket', '0.5', 1],
        ['a_seconds_bucket', '1.0', 2],
        ['a_seconds_bucket', '+Inf', 3],
        ['a_seconds_count', undefined, 3],
        ['a_seconds_sum', undefined, 4.1],
      ],
    )
  })

  it('is refused by the parser of these tests where it is wrong', () => {
    const wrong = [
      '# TYPE a gauge\n# HELP a x\na 1\n',
      '# TYPE a gauge\n# HELP a x "y"\na 1\n# EOF\n',
      '# TYPE a counter\n# HELP a x\na 1\n# EOF\n',
      '# TYPE a gauge\n# UNIT a bytes\n# HELP a x\na 1\n# EOF\n',
      '# TYPE a gauge\n# HELP a x\na{b="1"} 1\na{b="1"} 2\n# EOF\n',
      '# TYPE a gauge\n# HELP a x\na{b=1} 1\n# EOF\n',
      '# TYPE a gauge\n# HELP a x\na one\n# EOF\n',
      '# TYPE a gauge\n# HELP a x\n\na 1\n# EOF\n',
      '# TYPE a gauge\n# HELP a x\na 1\n# TYPE b gauge\n# HELP b x\n# TYPE a gauge\n# EOF\n',
      '# TYPE a histogram\n# HELP a x\na_bucket{le="1"} 1\na_bucket{le="+Inf"} 1\na_count 1\na_sum 1\n# EOF\n',
      '# TYPE a histogram\n# HELP a x\na_bucket{le="1.0"} 2\na_bucket{le="+Inf"} 1\na_count 1\na_sum 1\n# EOF\n',
      '# TYPE a histogram\n# HELP a x\na_bucket{le="1.0"} 1\na_count 1\na_sum 1\n# EOF\n',
    ]
    for (const text of wrong) assert.throws(() => parseOpenMetrics(text), SyntaxError, text)
  })
})

it('Requests have a bounded number of series, and no series has the path of a client', () => {
  const durations = requestDurations()
  for (let route = 0; route < 1_000; route++) durations.answered(`/api/v2/${route}`, 'GET', 200, 3)
  for (let n = 0; n < 50; n++) durations.answered(null, `METHOD${n}`, 404, 3)
  assert.ok(durations.samples().length <= 302)
  const methods = new Set(durations.samples().map(({ labels }) => labels?.method))
  assert.deepEqual([...methods].sort(), ['GET', 'other'])
  const counted = durations.samples().map(({ value }) => (typeof value === 'number' ? [] : value.counts))
  assert.equal(
    counted.flat().reduce((sum, each) => sum + each, 0),
    1_050,
  )
})

it('Two devices of one name have two labels', () => {
  const nameOf = distinct()
  const names = ['Lobby', 'Lobby', 'Bar'].map((name) => nameOf({ kind: 'encoder', name }))
  assert.deepEqual(
    [...names, nameOf({ kind: 'dispenser', name: 'Lobby' })],
    ['Lobby', 'Lobby (2)', 'Bar', 'Lobby'],
  )
})

it('The wear of a disk is that of the whole disk, and unknown where the kernel has no figures', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wear-'))
  t.after(() => rmSync(folder, { recursive: true }))
  assert.equal(deviceName(0x80_1), '8:1')
  assert.deepEqual(await diskWear(folder, folder), { writtenBytes: null, lifeUsed: null })
  const partition = join(folder, 'mmcblk0', 'mmcblk0p6')
  mkdirSync(partition, { recursive: true })
  mkdirSync(join(folder, 'mmcblk0', 'device'))
  writeFileSync(join(partition, 'partition'), '6\n')
  writeFileSync(join(partition, 'stat'), '1 1 1 1 1 1 1 1 1 1 1\n')
  writeFileSync(join(folder, 'mmcblk0', 'stat'), '   5 0 40 9   7 0   2000 11 0 5 5 0 0 0 0\n')
  writeFileSync(join(folder, 'mmcblk0', 'device', 'life_time'), '0x02 0x03\n')
  symlinkSync(partition, join(folder, deviceName(statSync(folder).dev)))
  assert.deepEqual(await diskWear(folder, folder), { writtenBytes: 1_024_000, lifeUsed: 0.3 })
})
