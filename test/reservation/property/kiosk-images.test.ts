import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startAppliance, type TestAppliance } from '../../appliance.ts'
import { noLimits } from '../../no-limits.ts'
import fc from '../../seed.ts'

/** The beginning of a picture of so many dots, as far as a program reads it that wants to know its size. */
const begins = {
  'image/png': (width: number, height: number) => {
    const header = Buffer.from('89504e470d0a1a0a0000000d49484452000000000000000008060000', 'hex')
    header.writeUInt32BE(width, 16)
    header.writeUInt32BE(height, 20)
    return header
  },
  'image/jpeg': (width: number, height: number) => {
    const header = Buffer.from(
      'ffd8ffe000104a46494600010100000100010000ffc0001108000000000301220002110103110100',
      'hex',
    )
    header.writeUInt16BE(height, 25)
    header.writeUInt16BE(width, 27)
    return header
  },
  'image/webp': (width: number, height: number) => {
    const header = Buffer.from('524946461a000000574542505650385812000000000000000000000000000000', 'hex')
    header.writeUIntLE(width - 1, 24, 3)
    header.writeUIntLE(height - 1, 27, 3)
    return header
  },
}
const png = begins['image/png'](1, 1)
const jpeg = begins['image/jpeg'](640, 480)
const webp = begins['image/webp'](16, 9)
const images = '/api/config/v1/kiosk-images'

let house: TestAppliance
before(async () => {
  house = await startAppliance({ rateLimits: noLimits })
})
after(() => house?.stop())

const add = (use: string, file: Buffer | string) =>
  house.ask('POST', images, {
    body: { use, content: typeof file === 'string' ? file : file.toString('base64') },
  })
const all = async () => (await house.ask('GET', images)).body.data
async function clear(): Promise<void> {
  for (const { id } of await all()) assert.equal((await house.ask('DELETE', `${images}/${id}`)).status, 204)
}
const fileAt = (name: string) => fetch(`${house.appliance.url}/kiosk-images/${name}`)

describe('the pictures of the kiosks', () => {
  it('are served as they were sent, by a name that changes with the file', async () => {
    const drawn = fc.sample(fc.uint8Array({ minLength: 1, maxLength: 2_000 }), 5)
    const names = new Set<string>()
    for (const [begin, type] of [
      [png, 'image/png'],
      [jpeg, 'image/jpeg'],
      [webp, 'image/webp'],
    ] as const)
      for (const rest of [new Uint8Array(), ...drawn]) {
        await clear()
        const file = Buffer.concat([begin, rest])
        const made = await add('logo', file)
        assert.equal(made.status, 201, made.text)
        const { mediaType, file: name, content } = made.body.data.attributes
        assert.deepEqual([mediaType, content], [type, undefined])
        const answer = await fileAt(name)
        assert.equal(answer.status, 200)
        assert.equal(answer.headers.get('content-type'), type)
        assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
        assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/)
        assert.deepEqual(Buffer.from(await answer.arrayBuffer()), file)
        names.add(name)
      }
    assert.equal(names.size, 18)
  })

  it('are one for each use, and are exchanged by a change that honours If-Match', async () => {
    await clear()
    const logo = (await add('logo', png)).body.data
    assert.equal((await add('picture', jpeg)).status, 201)
    const second = await add('logo', webp)
    assert.equal(second.status, 422, second.text)
    const path = `${images}/${logo.id}`
    const body = { content: webp.toString('base64') }
    const old = await house.ask('PATCH', path, { body, headers: { 'If-Match': '"99"' } })
    assert.equal(old.status, 412, old.text)
    const { revision, file } = logo.attributes
    assert.equal(
      (await house.ask('PATCH', path, { body, headers: { 'If-Match': `"${revision}"` } })).status,
      204,
    )
    const changed = (await house.ask('GET', path)).body.data.attributes
    assert.equal(changed.mediaType, 'image/webp')
    assert.equal((await fileAt(file)).status, 404, 'the first file is gone')
    assert.equal((await fileAt(changed.file)).status, 200)
  })

  it('are no SVG, and nothing else that a browser would run or cannot show', async () => {
    await clear()
    const wrong = [
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      '<!doctype html><script>alert(1)</script>',
      'GIF89a',
      'BM',
      '%PDF-1.7',
      'RIFF....WAVE',
      'PNG',
      '',
    ].map((text) => Buffer.from(text))
    // Pictures that end before the last byte of their size.
    const sized = [[png, 24] as const, [jpeg, 29] as const, [webp, 30] as const]
    const cut = sized.flatMap(([file, end]) =>
      Array.from({ length: end }, (_, length) => file.subarray(0, length)),
    )
    for (const file of [...wrong, ...cut]) {
      const { status, body, text } = await add('logo', file)
      assert.equal(status, 422, text)
      assert.match(body.errors[0].source.pointer, /\/content$/)
    }
    for (const content of ['no base64!', 'iVBORw0KGgo', 'data:image/png;base64,iVBORw0KGgo=']) {
      const { status, body } = await add('logo', content)
      assert.equal(status, 422, content)
      assert.equal(body.errors[0].detail, 'content must be base64.')
    }
    assert.deepEqual(await all(), [])
  })

  it('have 4,096 dots in each direction at most, and some', async () => {
    await clear()
    const [drawn] = fc.sample(fc.integer({ min: 1, max: 4_096 }), 1)
    for (const [type, begin] of Object.entries(begins))
      for (const [width, height, expected] of [
        [drawn!, drawn!, 201],
        [4_096, 4_096, 201],
        [1, 4_097, 422],
        [4_097, 1, 422],
        [30_000, 30_000, 422],
        ...(type === 'image/webp' ? [] : [[0, 10, 422] as const, [10, 0, 422] as const]),
      ] as const) {
        const { status, body, text } = await add('picture', begin(width, height))
        assert.equal(status, expected, `${type} ${width} ${height} ${text}`)
        if (expected === 201) await clear()
        else if (width > 0 && height > 0)
          assert.match(body.errors[0].detail, new RegExp(`4096 dots .* this one has ${width} by ${height}`))
      }
  })

  it('have half a mebibyte at most', async () => {
    await clear()
    const most = Buffer.concat([png, Buffer.alloc(524_288 - png.length)])
    for (const [file, expected] of [
      [most, 201],
      [Buffer.concat([most, Buffer.from('x')]), 422],
      [Buffer.concat([most, Buffer.alloc(1_000)]), 422],
      [Buffer.concat([most, most]), 413],
    ] as const) {
      const { status, text } = await add('picture', file)
      assert.equal(status, expected, text.slice(0, 300))
      if (expected === 201) await clear()
    }
  })

  it('are changed by an administrator and read by a kiosk', async () => {
    await clear()
    const kiosk = await fetch(`${house.appliance.url}/kiosk-images/${'0'.repeat(64)}`)
    assert.equal(kiosk.status, 404)
    for (const name of ['x', '..%2f..%2fetc%2fpasswd', '%00', 'a'.repeat(500), "' OR 1=1 --"])
      assert.equal((await fileAt(encodeURIComponent(name))).status, 404, name)
  })
})
