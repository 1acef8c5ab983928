import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { calling } from '../../adapter-contract.ts'
import { certificates, noOpenssl } from '../certificates.ts'
import { type HttpBench, type HttpBenchOptions, httpBench } from './http-bench.ts'

const oauth = { clientId: 'box 7', clientSecret: 's3cret:/?', seconds: 600 }
const { seconds: _, ...credentials } = oauth

async function on(options: HttpBenchOptions, work: (bench: HttpBench) => Promise<void>): Promise<void> {
  const bench = await httpBench(options)
  try {
    await work(bench)
  } finally {
    await bench.close()
  }
}

/** With a token of OAuth, whose URL is known only when the server is there. */
async function onOauth(
  work: (bench: HttpBench) => Promise<void>,
  given: object = credentials,
): Promise<void> {
  const connection: Record<string, unknown> = {}
  await on({ server: { access: oauth }, connection, credentials: { ...given } }, async (bench) => {
    bench.settings.tokenUrl = bench.server.tokenUrl
    await bench.reopen()
    await work(bench)
  })
}

const pull = ({ side }: HttpBench) => side.pull(null, calling())
const tokensAsked = ({ pms }: HttpBench) => pms.requests.filter(({ type }) => type === 'token').length

describe('a PMS that wants a token', () => {
  it('is asked with one that was set up', async () => {
    await on({ server: { access: { token: 'abc' } }, credentials: { token: 'abc' } }, async (bench) => {
      assert.deepEqual((await pull(bench)).changes, [])
    })
  })

  it('refuses another, and is not asked twice', async () => {
    await on({ server: { access: { token: 'abc' } }, credentials: { token: 'other' } }, async (bench) => {
      await assert.rejects(pull(bench), /refused our credentials: 401/)
    })
  })
})

describe('a token by client credentials', () => {
  it('is asked for once, however many wait for it, and kept', () =>
    onOauth(async (bench) => {
      await Promise.all([pull(bench), pull(bench), pull(bench)])
      await pull(bench)
      assert.equal(tokensAsked(bench), 1)
    }))

  it('is asked for anew shortly before its end', () =>
    onOauth(async (bench) => {
      await pull(bench)
      bench.clock.advance(539_000)
      await pull(bench)
      assert.equal(tokensAsked(bench), 1)
      bench.clock.advance(1_000)
      await pull(bench)
      assert.equal(tokensAsked(bench), 2)
    }))

  it('is asked for anew when it is refused, once, and the request is made again', () =>
    onOauth(async (bench) => {
      await pull(bench)
      bench.server.tokens.clear()
      assert.deepEqual((await pull(bench)).changes, [])
      assert.equal(tokensAsked(bench), 2)
      bench.pms.misbehaviour.faults.push({ at: 'pms.changes.requested', does: 'unauthorized', times: 2 })
      await assert.rejects(pull(bench), /refused our credentials: 401/)
      assert.equal(tokensAsked(bench), 3)
    }))

  it('that is not given names the side that refused it', () =>
    onOauth(
      async (bench) => {
        await assert.rejects(pull(bench), /The token URL refused the client id and secret with 401/)
      },
      { ...credentials, clientSecret: 'wrong' },
    ))

  for (const [does, says] of [
    ['garbage', /not JSON/],
    ['half', /broke the connection off/],
    ['busy', /The token URL answered 503/],
  ] as const) {
    it(`that comes as ${does} is asked for again by the next`, () =>
      onOauth(async (bench) => {
        bench.pms.misbehaviour.faults.push({ at: 'token', does })
        await assert.rejects(pull(bench), says)
        assert.deepEqual((await pull(bench)).changes, [])
      }))
  }
})

describe('a PMS behind TLS', { skip: noOpenssl }, () => {
  const { ca, server, ended, client, stranger } = noOpenssl ? ({} as never) : certificates()

  it('is asked where its certificate is of the authority that was set up', () =>
    on({ server: { tls: server }, connection: { serverCa: ca.cert } }, async (bench) => {
      assert.match(bench.server.baseUrl, /^https:/)
      assert.deepEqual((await pull(bench)).changes, [])
    }))

  for (const [whose, tls, connection] of [
    ['nobody knows', server, {}],
    ['is of another than was set up', server, { serverCa: stranger?.cert }],
    ['has ended', ended, { serverCa: ca?.cert }],
  ] as const) {
    it(`receives nothing where its certificate ${whose}`, () =>
      on({ server: { tls }, connection }, async (bench) => {
        await assert.rejects(
          pull(bench),
          /cannot be reached \(its certificate is not trusted, or has ended\)/,
        )
        assert.deepEqual(bench.pms.requests, [])
      }))
  }

  it('that wants a certificate of ours is shown it', () =>
    on(
      {
        server: { tls: { ...server, ca: ca.cert } },
        connection: { serverCa: ca.cert },
        credentials: { clientCertificate: client.cert, clientKey: client.key },
      },
      async (bench) => {
        assert.deepEqual((await pull(bench)).changes, [])
      },
    ))

  it('that wants a certificate of ours answers nothing without', () =>
    on({ server: { tls: { ...server, ca: ca.cert } }, connection: { serverCa: ca.cert } }, async (bench) => {
      await assert.rejects(pull(bench), /The PMS (broke the connection off|cannot be reached)/)
      assert.deepEqual(bench.pms.requests, [])
    }))
})
