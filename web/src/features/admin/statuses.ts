/** Where an order may stand, in the order in which it goes. */
export const STATUSES = ['pending', 'confirmed', 'preparing', 'dispatched', 'delivered', 'cancelled'] as const
