import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { after, before, it } from 'node:test'
import { listAnswer } from '../../src/jsonapi/document-answers.ts'
import { noGuests } from '../../src/jsonapi/guests.ts'
import { readQuery } from '../../src/jsonapi/query/query.ts'
import type { Request } from '../../src/jsonapi/route.ts'
import { serializer } from '../../src/jsonapi/serializer.ts'
import type { Reader } from '../../src/resource/keeper.ts'
import type { Resource } from '../../src/resource/resource.ts'
import { book, type Library, library, resources } from '../store/library.ts'

let shelf: Library
before(() => {
  shelf = library()
})
after(() => shelf.close())

const aRequest: Request = {
  method: 'GET',
  url: '/api/v2/books',
  params: {},
  query: new URLSearchParams(),
  header: () => '',
  caller: {
    by: 'test',
    client: 'test',
    role: 'test',
    requestId: null,
    may: () => true,
    expectRecentSecret: () => {},
    isLet: () => true,
    guests: noGuests,
  },
  message: {} as IncomingMessage,
  remoteAddress: '127.0.0.1',
  whenGone: () => () => {},
  body: async () => undefined,
  text: async () => '',
}

it('a list of chosen fields leaves out a row that was deleted after its page was found', async () => {
  const [first, second] = shelf.write((tx) => [
    tx.insert(book, { title: 'A' }).id,
    tx.insert(book, { title: 'B' }).id,
  ])
  const datedBook: Resource = {
    ...book,
    moment: { schema: {}, facts: () => null, on: () => ({ meta: {}, hasChanged: false }) },
  }
  const page: Reader['page'] = async (...asked) => {
    const found = await shelf.reader.page(...asked)
    shelf.write((tx) => tx.remove(book, first!))
    return found
  }
  const serializing = {
    reader: { ...shelf.reader, page },
    serializer: serializer(resources, () => '2026-06-01'),
  }
  const asked = readQuery(resources, datedBook, new URLSearchParams('fields[book]=title'))
  const { status, text } = await listAnswer(serializing, datedBook, asked, aRequest)
  assert.equal(status, 200)
  assert.deepEqual(
    JSON.parse(text!).data.map(({ id }: { id: string }) => id),
    [second],
  )
})
