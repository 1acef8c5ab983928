import type { Bookings, SimulatedRoom } from './bookings.ts'
import { type Operation, refusal } from './gateway.ts'

/** The rooms and their states. */
export function housekeeping(house: Bookings): Record<string, Operation> {
  const isOccupied = (roomId: string) =>
    [...house.stays.values()].some((stay) => stay.roomId === roomId && stay.status === 'InHouse')
  return {
    'GET /hsk/v1/hotels/{hotelId}/housekeepingOverview': ({ query }) => {
      const [limit, offset] = [Number(query.get('limit') ?? 20), Number(query.get('offset') ?? 0)]
      const all = [...house.rooms]
      const room = all.slice(offset, offset + limit).map(([roomId, { roomType, status }]) => ({
        roomId,
        roomType: { roomType },
        housekeeping: {
          housekeepingRoomStatus: {
            housekeepingRoomStatus: status,
            frontOfficeStatus: isOccupied(roomId) ? 'Occupied' : 'Vacant',
          },
        },
      }))
      if (room.length === 0) return [204]
      const hasMore = offset + room.length < all.length
      return [
        200,
        { housekeepingRoomInfo: { housekeepingRooms: { room }, hasMore, totalResults: all.length } },
      ]
    },

    'PUT /hsk/v1/hotels/{hotelId}/rooms/status': ({ body }) => {
      const { roomList, housekeepingRoomStatus } = body as {
        roomList?: { roomId: string }[]
        housekeepingRoomStatus?: SimulatedRoom['status']
      }
      for (const { roomId } of roomList ?? []) {
        const room = house.rooms.get(roomId)
        if (!room || !housekeepingRoomStatus) return refusal('HSK00001', `Room ${roomId} does not exist.`)
        room.status = housekeepingRoomStatus
      }
      return [200, {}]
    },
  }
}
