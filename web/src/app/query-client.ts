import { notifyManager, QueryClient } from '@tanstack/react-query'

import { isProblem } from '@/api/problem'

// Queries and mutations notify before the click that caused a change is over, not in a later task:
// a switch that shows its change ahead of the answer would jump back until then.
notifyManager.setScheduler(queueMicrotask)

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Without a network a call fails at once and the page shows it; a paused query would show nothing.
      networkMode: 'always',
      staleTime: 30_000,
      // A refusal is the same the next time; only calls without an answer are repeated.
      retry: (failures, error) => failures < 2 && !(isProblem(error) && error.status < 500),
    },
    mutations: { networkMode: 'always' },
  },
})
