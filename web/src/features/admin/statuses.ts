/** The statuses of an order, in their order. */
export const STATUSES = ['pending', 'confirmed', 'preparing', 'dispatched', 'delivered', 'cancelled'] as const
