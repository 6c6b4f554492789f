package impair

import (
	"container/heap"
	"net"
	"net/netip"
	"sync"
	"time"
)

// job is a datagram that leaves at a time.
type job struct {
	at        time.Time
	serial    uint64 // what was sent first leaves first at the same time
	direction Direction
	conn      *net.UDPConn
	to        netip.AddrPort // not valid: conn is connected
	data      []byte
}

// sender sends jobs when their time comes: a heap and one goroutine.
type sender struct {
	mu     sync.Mutex
	jobs   jobHeap
	serial uint64
	count  [2]int64
	closed bool
	wake   chan struct{}
}

func newSender() *sender { return &sender{wake: make(chan struct{}, 1)} }

// send queues j and says whether there was room.
func (s *sender) send(j job) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || len(s.jobs) >= maxInFlight {
		return false
	}
	j.serial = s.serial
	s.serial++
	heap.Push(&s.jobs, j)
	if s.jobs[0].serial == j.serial {
		s.poke()
	}
	return true
}

func (s *sender) poke() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *sender) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.poke()
}

func (s *sender) sent(d Direction) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count[d]
}

// run works until close.
func (s *sender) run() {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		j, wait, closed := s.due(time.Now())
		switch {
		case closed:
			return
		case j.conn != nil && j.to.IsValid():
			_, _ = j.conn.WriteToUDPAddrPort(j.data, j.to)
		case j.conn != nil:
			_, _ = j.conn.Write(j.data)
		default:
			timer.Reset(wait)
			select {
			case <-timer.C:
			case <-s.wake:
			}
		}
	}
}

// due takes the next job if its time has come, else says how long to wait.
func (s *sender) due(now time.Time) (j job, wait time.Duration, closed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || len(s.jobs) == 0 {
		return job{}, time.Hour, s.closed
	}
	if wait = s.jobs[0].at.Sub(now); wait > 0 {
		return job{}, wait, false
	}
	j = heap.Pop(&s.jobs).(job)
	s.count[j.direction]++
	return j, 0, false
}

// jobHeap orders by time, then by age.
type jobHeap []job

func (h jobHeap) Len() int { return len(h) }
func (h jobHeap) Less(i, k int) bool {
	if h[i].at.Equal(h[k].at) {
		return h[i].serial < h[k].serial
	}
	return h[i].at.Before(h[k].at)
}
func (h jobHeap) Swap(i, k int) { h[i], h[k] = h[k], h[i] }

// Push implements heap.Interface.
func (h *jobHeap) Push(x any) { *h = append(*h, x.(job)) }

// Pop implements heap.Interface.
func (h *jobHeap) Pop() any {
	last := len(*h) - 1
	j := (*h)[last]
	(*h)[last] = job{}
	*h = (*h)[:last]
	return j
}
