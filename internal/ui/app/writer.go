package app

import (
	"sync"
)

// writer writes files one after the other in the background.
type writer struct {
	mu     sync.Mutex
	list   []func()
	closed bool
	news   chan struct{}
	done   chan struct{}
}

func newWriter() *writer {
	w := &writer{news: make(chan struct{}, 1), done: make(chan struct{})}
	go w.run()
	return w
}

// write queues a job; it never blocks.
func (w *writer) write(job func()) {
	w.mu.Lock()
	w.list = append(w.list, job)
	w.mu.Unlock()
	w.wake()
}

func (w *writer) wake() {
	select {
	case w.news <- struct{}{}:
	default:
	}
}

// close waits until everything is written.
func (w *writer) close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.wake()
	<-w.done
}

func (w *writer) run() {
	defer close(w.done)
	for range w.news {
		w.mu.Lock()
		list, closed := w.list, w.closed
		w.list = nil
		w.mu.Unlock()
		for _, job := range list {
			job()
		}
		if closed {
			return
		}
	}
}
