package fifotest

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/client-go/tools/cache"
)

// Objects are strings. What comes before the number is the key, and "-" is none; the number tells one state from
// another. The transformer adds a stroke: a1 becomes a1'. It refuses a1! and makes of a1? an object without a key. A
// tombstone stands in brackets, (a1), and one without an object has the key alone, (a).

var errKey, errTransform = errors.New("no key"), errors.New("not to be transformed")

// key is the key function.
func key(obj any) (string, error) {
	s, ok := obj.(string)
	if !ok || s[0] == '-' {
		return "", errKey
	}
	return keyIn(s), nil
}

func keyIn(text string) string {
	if i := strings.IndexAny(text, "0123456789"); i > 0 {
		return text[:i]
	}
	return text
}

func transform(obj any) (any, error) {
	s, ok := obj.(string)
	switch {
	case !ok, strings.Contains(s, "!"):
		return nil, errTransform
	case strings.Contains(s, "?"):
		return "-" + s[1:] + "'", nil
	}
	return s + "'", nil
}

// parse makes an object, or a tombstone.
func parse(text string) any {
	inner, isTombstone := strings.CutPrefix(text, "(")
	if !isTombstone {
		return text
	}
	inner = strings.TrimSuffix(inner, ")")
	t := cache.DeletedFinalStateUnknown{Key: keyIn(inner)}
	if t.Key != inner {
		t.Obj = inner
	}
	return t
}

func parseAll(texts []string) []any {
	all := make([]any, len(texts))
	for i, text := range texts {
		all[i] = parse(text)
	}
	return all
}

// describe is the opposite of parse, for all that a queue hands out.
func describe(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case cache.DeletedFinalStateUnknown:
		return "(" + v.Key + strings.TrimPrefix(describe(v.Obj), v.Key) + ")"
	case cache.Delta:
		return strings.TrimSuffix(fmt.Sprintf("%s %s", v.Type, describe(v.Object)), " ")
	case cache.Deltas:
		return describeAll(v, ", ")
	case cache.ReplacedAllInfo:
		return fmt.Sprintf("@%s [%s]", v.ResourceVersion, describeAll(v.Objects, " "))
	case cache.BookmarkInfo:
		return "@" + v.ResourceVersion
	case cache.SyncAllInfo:
		return ""
	}
	return fmt.Sprintf("%T %v", value, value)
}

func describeAll[T any](values []T, between string) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = describe(v)
	}
	return strings.Join(texts, between)
}

// outcome is what two queues have to agree on about an error.
func outcome(err error) string {
	var ofKey cache.KeyError
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, cache.ErrFIFOClosed):
		return "closed"
	case errors.Is(err, errProcess):
		return "failed"
	case errors.As(err, &ofKey):
		return "no key: " + describe(ofKey.Obj)
	}
	return "error"
}
