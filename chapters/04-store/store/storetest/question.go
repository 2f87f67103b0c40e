package storetest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"k8s.io/client-go/tools/cache"
)

// A question is one call of a method that reads. Two stores in the same state give the same answer.
type question struct {
	name string
	ask  func(store cache.Indexer) string
}

// questions are all that can be asked about a small world, but for [cache.Indexer.GetIndexers], which a reader of
// [cache.NewIndexer]'s can't call while a writer adds one. The first two are about the whole.
func (s *scene) questions() []question {
	out := []question{
		{"List", func(i cache.Indexer) string { return set(i.List(), nil) }},
		version,
		{"ListKeys", func(i cache.Indexer) string { return set(i.ListKeys(), nil) }},
		{"Resync", func(i cache.Indexer) string { return outcome(i.Resync()) }},
	}
	out = append(out, keyQuestions()...)
	strangers := []any{42, cache.DeletedFinalStateUnknown{Key: "a/x"}, cache.ExplicitKey("b/y"),
		s.make("a/y", nil, "1"), s.make("a/y", []string{"red"}, "1"), s.make("z", []string{"blue", "red", "blue"}, "1")}
	for _, obj := range strangers {
		out = append(out, question{fmt.Sprintf("Get(%s)", describe(obj)), func(i cache.Indexer) string {
			return found(i.Get(obj))
		}})
	}
	out = append(out, indexQuestions(byNamespace, []string{"a", "b", ""}, strangers[3:])...)
	out = append(out, indexQuestions(byTags, []string{"red", "blue", "none"}, strangers[2:])...)
	out = append(out, indexQuestions(byCount, []string{"0", "1", "3"}, strangers[3:])...)
	return append(out, indexQuestions(unknown, []string{"a"}, strangers[3:4])...)
}

var version = question{"LastStoreSyncResourceVersion", func(i cache.Indexer) string {
	return describe(i.LastStoreSyncResourceVersion())
}}

func keyQuestions() (out []question) {
	for _, key := range append(slices.Clone(keys), "a/none") {
		out = append(out, question{fmt.Sprintf("GetByKey(%q)", key), func(i cache.Indexer) string {
			return found(i.GetByKey(key))
		}})
	}
	return out
}

func indexQuestions(index string, values []string, objects []any) []question {
	out := []question{{fmt.Sprintf("ListIndexFuncValues(%s)", index), func(i cache.Indexer) string {
		return set(i.ListIndexFuncValues(index), nil)
	}}}
	for _, value := range values {
		out = append(out, question{fmt.Sprintf("ByIndex(%s, %q)", index, value), func(i cache.Indexer) string {
			return set(i.ByIndex(index, value))
		}}, question{fmt.Sprintf("IndexKeys(%s, %q)", index, value), func(i cache.Indexer) string {
			return sorted(i.IndexKeys(index, value))
		}})
	}
	for _, obj := range objects {
		out = append(out, question{fmt.Sprintf("Index(%s, %s)", index, describe(obj)), func(i cache.Indexer) string {
			return set(i.Index(index, obj))
		}})
	}
	return out
}

// functions is the question that is asked only while nobody writes.
var functions = question{"GetIndexers", func(i cache.Indexer) string {
	var texts []string
	for name, values := range i.GetIndexers() {
		of, err := values(objects().make("a/x", []string{"red", "blue"}, ""))
		texts = append(texts, fmt.Sprintf("%s gives %q%s", name, of, failed(err)))
	}
	return set(texts, nil)
}}

// set describes what has no order, each element as often as it is there. Then it writes over the slice, as a caller
// may: a store that hands out its own does not survive it.
func set[T any](elements []T, err error) string {
	texts := labels(elements)
	clear(elements)
	slices.Sort(texts)
	return "[" + strings.Join(texts, ", ") + "]" + failed(err)
}

// sorted describes what has to be in order.
func sorted(keys []string, err error) string {
	defer clear(keys)
	return "in this order [" + strings.Join(keys, ", ") + "]" + failed(err)
}

func found(obj any, exists bool, err error) string {
	return describe(obj) + ", " + strconv.FormatBool(exists) + failed(err)
}

func failed(err error) string {
	if err == nil {
		return ""
	}
	return " and " + outcome(err)
}
