package fifotest

import (
	"errors"

	"k8s.io/client-go/tools/cache"
)

var errKnown = errors.New("the known objects cannot be read")

// known are the known objects: a1 is one, a- a key that is listed and not found, a! one for which looking fails.
type known struct{ texts []string }

// in is what a queue of this setup is given.
func (k *known) in(s setup) cache.KeyListerGetter {
	if s.has("known") {
		return k
	}
	return nil
}

func (k *known) ListKeys() []string {
	keys := make([]string, len(k.texts))
	for i, text := range k.texts {
		keys[i] = text[:1]
	}
	return keys
}

func (k *known) GetByKey(key string) (any, bool, error) {
	for _, text := range k.texts {
		if text[:1] == key {
			return text, text[1] != '-', map[byte]error{'!': errKnown}[text[1]]
		}
	}
	return nil, false, nil
}
