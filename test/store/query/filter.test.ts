import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { readQuery } from '../../../src/jsonapi/query/query.ts'
import { first, having } from '../../../src/resource/query.ts'
import { book, genre, type Library, library, loan, noon, publisher, resources } from '../library.ts'

let shelf: Library
const ids: Record<string, string> = {}
before(() => {
  shelf = library()
  shelf.write((tx) => {
    ids.aurora = tx.insert(publisher, { name: 'Aurora', city: 'Łódź' }).id
    ids.borealis = tx.insert(publisher, { name: 'Borealis' }).id
    ids.novel = tx.insert(genre, { name: 'Novel' }).id
    ids.crime = tx.insert(genre, { name: 'Crime' }).id
    const all = tx.insert(book, {
      title: 'All',
      isbn: '100%',
      pages: 300,
      price: 12.5,
      inPrint: true,
      published: '2020-05-01',
      opens: '08:30',
      addedAt: noon,
      binding: 'Cloth',
      cover: { colour: 'Äpfelgrün', weight: 500 },
      prizes: [
        { name: 'Gold', year: 2019 },
        { name: 'Silver', year: 2021 },
      ],
      tags: ['sea', 'ÉTÉ'],
      publisherId: ids.aurora,
      genres: [ids.novel, ids.crime],
      authors: [
        { name: 'Ångström', born: 1950, publisherId: ids.borealis },
        { name: 'Berg', born: 1970 },
      ],
    })
    tx.insert(book, {
      title: 'Bits',
      isbn: '100_',
      pages: 20,
      price: -1.25,
      inPrint: false,
      published: '2021-05-01',
      opens: '17:00',
      addedAt: noon + 1500,
      binding: 'Paper',
      cover: { weight: 20 },
      publisherId: ids.borealis,
      genres: [ids.crime],
      authors: [{ name: 'Ångström', born: 1970 }],
      tags: ['s\\a'],
    })
    tx.insert(book, { title: 'None' })
    ids.all = all.id
  })
  shelf.write((tx) => {
    tx.insert(loan, { bookId: ids.all!, reader: 'Ann', due: '2026-06-01', returned: true })
    tx.insert(loan, { bookId: ids.all!, reader: 'Bob', due: '2026-07-01', returned: false })
  })
})
after(() => shelf.close())

function titles(search: string): string[] {
  const { query } = readQuery(resources, book, new URLSearchParams(search))
  return shelf.reader.rows(book, query).map(({ title }) => title)
}

/** What is asked for, and the titles of the books it finds. */
const table: [filter: string, ...titles: string[]][] = [
  // Texts.
  ['filter[title]=All', 'All'],
  ['filter[title][eq]=all'],
  ['filter[title][ne]=All', 'Bits', 'None'],
  ['filter[isbn][ne]=100%25', 'Bits', 'None'],
  ['filter[title][gt]=All', 'Bits', 'None'],
  ['filter[title][lte]=Bits', 'All', 'Bits'],
  ['filter[isbn][isnull]=1', 'None'],
  ['filter[isbn][notnull]=', 'All', 'Bits'],
  // Contains: any case, in every script, and % and _ are letters like others.
  ['filter[title][like]=LL', 'All'],
  ['filter[isbn][like]=0%25', 'All'],
  ['filter[isbn][like]=0_', 'Bits'],
  ['filter[isbn][like]=', 'All', 'Bits'],
  ['filter[title][like]=%00'],
  ['filter[cover.colour][like]=äPFEL', 'All'],
  ['filter[cover.colour][like]=Ä', 'All'],
  ['filter[authors.name][like]=ÅNG', 'All', 'Bits'],
  ['filter[publisher.city][like]=łÓD', 'All'],
  ['filter[tags][like]=été', 'All'],
  ['filter[tags][like]=S\\A', 'Bits'],
  // Numbers.
  ['filter[pages]=300', 'All'],
  ['filter[pages][lt]=300', 'Bits'],
  ['filter[pages][ne]=300', 'Bits', 'None'],
  ['filter[pages][isnull]=x', 'None'],
  ['filter[price]=12.5', 'All'],
  ['filter[price]=12.50', 'All'],
  ['filter[price][lt]=0', 'Bits'],
  ['filter[price][gte]=-1.25', 'All', 'Bits'],
  ['filter[price][like]=12.5', 'All'],
  ['filter[lent]=2', 'All'],
  ['filter[lent][lt]=1', 'Bits', 'None'],
  // Flags and words.
  ['filter[inPrint]=true', 'All'],
  ['filter[inPrint]=false', 'Bits'],
  ['filter[inPrint][ne]=true', 'Bits', 'None'],
  ['filter[inPrint][like]=TRU', 'All'],
  ['filter[binding]=Paper', 'Bits'],
  // Days, times, moments.
  ['filter[published]=2020-05-01', 'All'],
  ['filter[published]=2020-05-01T23:00:00Z', 'All'],
  ['filter[published][gte]=2021-01-01', 'Bits'],
  ['filter[published][like]=2021-05', 'Bits'],
  ['filter[opens][lt]=12:00', 'All'],
  ['filter[opens]=17:00:00', 'Bits'],
  ['filter[addedAt]=2026-06-01T16:00:00Z', 'All'],
  ['filter[addedAt]=2026-06-01T18:00:00%2B02:00', 'All'],
  ['filter[addedAt][gt]=2026-06-01T16:00:01', 'Bits'],
  ['filter[addedAt][gte]=2026-06-01', 'All', 'Bits'],
  ['filter[addedAt][like]=16:00:01.5', 'Bits'],
  // Objects and lists.
  ['filter[cover.weight][gte]=20', 'All', 'Bits'],
  ['filter[cover.colour][isnull]=1', 'Bits', 'None'],
  ['filter[prizes.name]=Gold', 'All'],
  ['filter[prizes.name]=Gold&filter[prizes.year]=2019', 'All'],
  ['filter[prizes.name]=Gold&filter[prizes.year]=2021'],
  ['filter[prizes.name][isnull]=1', 'Bits', 'None'],
  ['filter[tags]=sea', 'All'],
  ['filter[tags][isnull]=1', 'None'],
  // References and lists of them.
  ['filter[publisherId]=AURORA', 'All'],
  ['filter[publisherId][ne]=AURORA', 'Bits', 'None'],
  ['filter[publisherId]=NOBODY'],
  ['filter[publisherId][ne]=NOBODY', 'All', 'Bits', 'None'],
  ['filter[publisherId][isnull]=1', 'None'],
  ['filter[publisherId][like]=AURORA', 'All'],
  ['filter[genres]=CRIME', 'All', 'Bits'],
  ['filter[genres]=NOVEL', 'All'],
  ['filter[genres]=NOVEL&filter[genres]=CRIME'],
  ['filter[genres][isnull]=1', 'None'],
  ['filter[genres][notnull]=1', 'All', 'Bits'],
  // Through relationships; two filters through one are about one related thing.
  ['filter[publisher.name]=Aurora', 'All'],
  ['filter[publisher.id]=AURORA', 'All'],
  ['filter[publisher.name][isnull]=1', 'None'],
  ['filter[authors.name]=Ångström&filter[authors.born]=1950', 'All'],
  ['filter[author.name]=Ångström&filter[author.born]=1970', 'Bits'],
  ['filter[authors.publisher.name]=Borealis', 'All'],
  ['filter[authors.publisherId]=BOREALIS', 'All'],
  ['filter[authors.name][isnull]=1', 'None'],
  ['filter[loans.reader]=Ann', 'All'],
  ['filter[loans.reader]=Ann&filter[loans.returned]=true', 'All'],
  ['filter[loans.reader]=Ann&filter[loans.returned]=false'],
  ['filter[loans.due][gte]=2026-06-15&filter[loans.reader]=Bob', 'All'],
  ['filter[loans.id][isnull]=1', 'Bits', 'None'],
  ['filter[loans.reader][like]=b', 'All'],
  ['filter[loans.book.title]=All', 'All'],
  // What every resource has.
  ['filter[id]=ALL', 'All'],
  ['filter[id][like]=ALL', 'All'],
  ['filter[revision][gte]=2', 'All'],
  ['filter[createdAt][gt]=2030-01-01'],
]

/** What the program asks for, and requests cannot: one of several values, and none of them. */
const several: [values: Parameters<typeof having>[0], ...titles: string[]][] = [
  [{ title: ['All', 'None'] }, 'All', 'None'],
  [{ title: ['all', '%', ''] }],
  [{ title: [] }],
  [{ pages: [300, 20, 300] }, 'All', 'Bits'],
  [{ isbn: ['100%', '100_'] }, 'All', 'Bits'],
  [{ binding: ['Cloth', 'Paper'], pages: [20] }, 'Bits'],
  [{ inPrint: [0] }, 'Bits'],
  [{ lent: [2, 7] }, 'All'],
  [{ tags: ['sea', 's\\a'] }, 'All', 'Bits'],
  [{ 'authors.born': [1950, 1960] }, 'All'],
  [{ 'publisher.name': ['Borealis', 'Aurora'], published: null }],
]

const unknown = '0197c0de-0000-7000-8000-000000000001'

for (const [filter, ...expected] of table) {
  it(`${filter} finds ${expected.join(' and ') || 'nothing'}`, () => {
    const asked = filter.replace(/=([A-Z]{3,})$/, (whole, word: string) => {
      const id = word === 'NOBODY' ? unknown : ids[word.toLowerCase()]
      return id ? `=${id}` : whole
    })
    const withIds = asked.replaceAll(/=(NOVEL|CRIME)/g, (_, word: string) => `=${ids[word.toLowerCase()]}`)
    assert.deepEqual(titles(withIds), expected)
  })
}

for (const [values, ...expected] of several)
  it(`${JSON.stringify(values)} finds ${expected.join(' and ') || 'nothing'}`, () => {
    assert.deepEqual(
      shelf.reader.rows(book, first(having(values))).map(({ title }) => title),
      expected,
    )
    const selected = shelf.write((tx) => tx.select(book, having(values)))
    assert.deepEqual(
      selected.map(({ title }) => title),
      expected,
    )
  })

it('an id is not looked for in a list', () => {
  for (const path of ['id', 'publisherId'])
    assert.throws(() => shelf.reader.rows(book, first(having({ [path]: [unknown] }))), RangeError)
})
