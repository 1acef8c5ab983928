import Router from '@koa/router'
import Koa from 'koa'

/** A bare Koa route that answers a constant text of as many bytes as the first argument says, whatever is asked. */
const text = 'x'.repeat(Number(process.argv[2]))
const app = new Koa()
const router = new Router()
const answer = (ctx: Koa.Context) => {
  ctx.body = text
  ctx.type = 'application/vnd.api+json'
}
router.all('/one/:id', answer)
app.use(router.routes())
const server = app.listen(0, '127.0.0.1', () => {
  console.log((server.address() as { port: number }).port)
})
process.once('SIGTERM', () => process.exit(0))
