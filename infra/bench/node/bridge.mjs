// A plain websocket bridge: one subscription a watched topic, each position made into a frame once
// and sent to every socket that watches. No checks, no limits, no back-pressure.
import { connect } from '@nats-io/transport-node'
import { WebSocketServer } from 'ws'

const address = new URL(process.env.NATS_URL)
const broker = await connect({
  servers: address.host,
  user: decodeURIComponent(address.username),
  pass: decodeURIComponent(address.password),
})

/** Topic → the sockets that watch it and the subscription behind it. */
const topics = new Map()

function watch(socket, topic) {
  let known = topics.get(topic)
  if (known === undefined) {
    const id = topic.slice('delivery:'.length)
    const sockets = new Set()
    const callback = (_error, message) => {
      const { data } = message.json()
      const { lat, lng, heading, speed, at } = data
      const frame = { type: 'position', topic, deliveryId: id, lat, lng, heading, speed, at }
      const bytes = Buffer.from(JSON.stringify(frame))
      for (const other of sockets) other.send(bytes, { binary: false })
    }
    known = { sockets, subscription: broker.subscribe(`tiffin.position.${id}`, { callback }) }
    topics.set(topic, known)
  }
  known.sockets.add(socket)
  socket.on('close', () => known.sockets.delete(socket))
}

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
server.on('connection', (socket) => {
  socket.on('message', async (text) => {
    const frame = JSON.parse(text)
    if (frame.type === 'auth') socket.send(JSON.stringify({ type: 'ready' }))
    if (frame.type !== 'watch') return
    watch(socket, frame.topic)
    await broker.flush()
    socket.send(JSON.stringify({ type: 'watching', topic: frame.topic }))
  })
})
server.on('listening', () => console.log(server.address().port))
