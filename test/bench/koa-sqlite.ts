import { join } from 'node:path'
import Router from '@koa/router'
import Koa from 'koa'
import { resources, shapeOf } from '../../src/composition/api.ts'
import { openReader } from '../../src/store/connection.ts'
import { selectPage } from '../../src/store/query/select.ts'
import { documentSql } from '../../src/store/rows/document.ts'
import { withHyphens } from '../../src/store/rows/template.ts'
import { toBlob } from '../../src/store/uuid.ts'
import { queryOf } from './list-page.ts'

/**
 * The documents of a data folder, by id and by day of arrival, from Koa and SQLite alone: without tokens, limits, ETags and
 * caches. The first argument is the data folder.
 */
const [data = ''] = process.argv.slice(2)
const resource = resources.get('reservation')!
const db = openReader(join(data, 'nightporter.db'))
const pageAt = (day: number) =>
  selectPage(resources, resource, queryOf(day), null)[0] ?? { sql: '', values: [] }
const find = db.prepare('SELECT rid FROM reservation WHERE id = ?').pluck()
const page = db.prepare(pageAt(0).sql).pluck()
const text = db.prepare(documentSql(resources, resource, shapeOf(resource))).pluck()

const router = new Router()
router.get('/one/:id', (ctx) => answer(ctx, withHyphens(String(text.get(find.get(toBlob(ctx.params.id!)))))))
router.get('/day/:day', (ctx) => {
  const rids = page.all(...pageAt(Number(ctx.params.day)).values, 11).slice(0, 10)
  answer(ctx, `[${withHyphens(rids.map((rid) => text.get(rid)).join())}]`)
})

function answer(ctx: Koa.Context, data: string): void {
  ctx.body = `{"data":${data}}`
  ctx.type = 'application/vnd.api+json'
}

const app = new Koa()
app.use(router.routes())
const server = app.listen(0, '127.0.0.1', () => {
  console.log((server.address() as { port: number }).port)
})
process.once('SIGTERM', () => process.exit(0))
