import { nobody } from './facts.ts'
import type { Row } from './row.ts'

const noSuchField = { query: 'filter[nonsense]=1', code: 'invalid-filter-field' }

/** The rows that every collection has alike. */
export function listRows(of: string): Row[] {
  return [
    { of, status: 200 },
    { of, status: 400, ...noSuchField },
    { of, status: 400, query: 'filter[id][about]=1', code: 'invalid-filter-operator' },
    { of, status: 400, query: 'page[size]=0', code: 'invalid-page-size' },
    { of, status: 500, in: 'ruins', code: 'internal' },
  ]
}

export function readRows(of: string): Row[] {
  const name = /\{(\w+)\}$/.exec(of)?.[1] ?? ''
  return [
    { of, status: 200 },
    { of, status: 404, given: async () => ({ [name]: nobody }), code: 'not-found' },
    { of, status: 500, in: 'ruins', code: 'internal' },
  ]
}

/** A creation with this body, and with what is none. */
export function createRows(of: string, body: object, wrong: object): Row[] {
  return [
    { of, status: 201, body },
    { of, status: 400, body: '{"name": ', code: 'malformed-json' },
    { of, status: 422, body: { ...body, ...wrong }, code: 'validation-failed' },
    { of, status: 500, in: 'ruins', body, code: 'internal' },
  ]
}
