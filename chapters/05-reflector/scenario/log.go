package scenario

import "k8s.io/klog/v2"

// log is a logger that hands on what a program with the default verbosity would print: the message and the error.
func log(print func(message string, err any)) klog.Logger { return klog.New(sink{print}) }

// sink implements logr.LogSink.
type sink struct{ print func(message string, err any) }

func (sink) Init(klog.RuntimeInfo)                 {}
func (sink) Enabled(level int) bool                { return level == 0 }
func (s sink) WithName(string) klog.LogSink        { return s }
func (s sink) WithValues(...any) klog.LogSink      { return s }
func (s sink) Error(err error, m string, _ ...any) { s.print(m, err) }

func (s sink) Info(_ int, message string, pairs ...any) {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i] == "err" {
			s.print(message, pairs[i+1])
			return
		}
	}
	s.print(message, nil)
}
