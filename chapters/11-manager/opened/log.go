package opened

import (
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// Logger is for manager.Options.Logger: it records each line, up to V(0), as the logger's name, "INFO" or "ERROR" and
// the message, and what is said with it: the error first, then the values.
func (r *Record) Logger() logr.Logger {
	to := &atomic.Pointer[Record]{}
	to.Store(r)
	return logr.New(sink{to: to})
}

// global is where upstream's global logger leads, once it was set.
var global atomic.Pointer[Record]

// Global has controller-runtime's global logger, which its sources use whatever the manager's logger is, record here
// until the next call; nil is nowhere. The global logger can be set once in a process, and Global sets it: a program
// that uses this calls log.SetLogger nowhere.
func Global(r *Record) {
	global.Store(r)
	log.SetLogger(logr.New(sink{to: &global}))
}

// sink is a logr.LogSink.
type sink struct {
	to     *atomic.Pointer[Record]
	name   string
	values []any
}

// Init implements logr.LogSink.
func (sink) Init(logr.RuntimeInfo) {}

// Enabled implements logr.LogSink: what is meant for debugging is not recorded.
func (s sink) Enabled(level int) bool { return level == 0 && s.to.Load() != nil }

// Info implements logr.LogSink.
func (s sink) Info(_ int, message string, values ...any) { s.note("INFO", message, nil, values) }

func (s sink) Error(err error, message string, values ...any) { s.note("ERROR", message, err, values) }

func (s sink) note(level, message string, err error, values []any) {
	record := s.to.Load()
	if record == nil {
		return
	}
	var said []string
	if err != nil {
		said = append(said, fmt.Sprintf("error=%q", err))
	}
	values = append(s.values[:len(s.values):len(s.values)], values...)
	for i := 0; i+1 < len(values); i += 2 {
		said = append(said, fmt.Sprintf("%v=%q", values[i], fmt.Sprint(values[i+1])))
	}
	record.Note(Event{Part: Log, Name: s.name, What: level + " " + message, Item: strings.Join(said, " ")})
}

// WithValues implements logr.LogSink.
func (s sink) WithValues(values ...any) logr.LogSink {
	s.values = append(s.values[:len(s.values):len(s.values)], values...)
	return s
}

// WithName implements logr.LogSink: names of parts within parts are joined by dots.
func (s sink) WithName(name string) logr.LogSink {
	if s.name != "" {
		name = s.name + "." + name
	}
	s.name = name
	return s
}
