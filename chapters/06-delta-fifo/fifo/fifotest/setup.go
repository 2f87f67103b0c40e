package fifotest

import (
	"io"
	"strings"

	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2/textlogger"
)

// setup is what a queue is made with: words, of which those in options are known.
type setup string

func (s setup) has(option string) bool { return strings.Contains(string(s), option) }

// The setups that random operations are tried with: all that are possible.
var (
	deltaSetups = setups(",known,replaced,known replaced")
	realSetups  = setups("known,atomic,atomic unlocks,atomic bookmarks,atomic unlocks bookmarks")
)

// setups are these, and each of them with a transformer.
func setups(texts string) (all []setup) {
	for text := range strings.SplitSeq(texts, ",") {
		all = append(all, setup(text), setup(text+" transforms"))
	}
	return all
}

// queueFunc makes a queue of one kind.
type queueFunc func(s setup, known *known) cache.Queue

// quiet keeps what queues log about missing objects out of the tests' output.
var quiet = textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(io.Discard)))

func ofDelta(newQueue NewDelta) queueFunc {
	return func(s setup, known *known) cache.Queue {
		return newQueue(cache.DeltaFIFOOptions{Logger: &quiet, KeyFunction: key, KnownObjects: known.in(s),
			Transformer: s.transformer(), EmitDeltaTypeReplaced: s.has("replaced")})
	}
}

func ofReal(newQueue NewReal) queueFunc {
	return func(s setup, known *known) cache.Queue {
		return newQueue(cache.RealFIFOOptions{Logger: &quiet, KeyFunction: key, KnownObjects: known.in(s),
			Transformer: s.transformer(), AtomicEvents: s.has("atomic"), UnlockWhileProcessing: s.has("unlocks"),
			EmitDeltaTypeBookmark: s.has("bookmarks")})
	}
}

func (s setup) transformer() cache.TransformFunc {
	if s.has("transforms") {
		return transform
	}
	return nil
}
