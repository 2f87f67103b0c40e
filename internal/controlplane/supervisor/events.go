package supervisor

import (
	"encoding/json"
	"io"
	"sync"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
)

// events tells the program that started us how it goes. When that program is gone nobody reads, which is no error.
type events struct {
	mu  sync.Mutex
	out io.Writer
}

func (e *events) send(event plane.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	json.NewEncoder(e.out).Encode(event)
}

func (e *events) doing(what string) { e.send(plane.Event{Doing: what}) }
