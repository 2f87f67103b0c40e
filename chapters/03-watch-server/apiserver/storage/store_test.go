package storage

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// One counter for everything: the revision of an object is the number of the write, not of the object.
func TestRevisionIsGlobal(t *testing.T) {
	s := open(Options{})
	s.Install("others")
	a := put(t, s, thing("n", "a"), 1, nil)
	other := Key{"others", "n", "a"}
	b, err := s.Create(other, content(other, 1, nil))
	require.NoError(t, err)
	c := put(t, s, thing("n", "a"), 2, nil)
	gone, err := s.Delete(other, b.Revision)
	require.NoError(t, err)
	assert.Equal(t, []uint64{2, 3, 4, 5}, []uint64{a.Revision, b.Revision, c.Revision, gone.Revision})
	_, at := s.List(Query{Resource: things})
	assert.Equal(t, uint64(5), at, "a list tells the store's revision, not its newest object's")
}

func TestStoredObjectSaysItsRevision(t *testing.T) {
	s := open(Options{})
	o := put(t, s, thing("n", "a"), 1, nil)
	var read struct {
		Metadata struct{ ResourceVersion, Name string }
	}
	require.NoError(t, json.Unmarshal(o.JSON, &read))
	assert.Equal(t, "2", read.Metadata.ResourceVersion)
	assert.Equal(t, "a", read.Metadata.Name)
}

func TestConditionalWrites(t *testing.T) {
	s := open(Options{})
	key := thing("n", "a")
	first := put(t, s, key, 1, nil)
	_, err := s.Create(key, content(key, 1, nil))
	assert.ErrorIs(t, err, ErrExists)
	second, err := s.Update(key, first.Revision, content(key, 2, nil))
	require.NoError(t, err)
	_, err = s.Update(key, first.Revision, content(key, 3, nil))
	assert.ErrorIs(t, err, ErrConflict, "a write made from an old revision")
	_, err = s.Delete(key, first.Revision)
	assert.ErrorIs(t, err, ErrConflict)
	_, err = s.Delete(key, second.Revision)
	require.NoError(t, err)
	_, err = s.Get(key)
	assert.ErrorIs(t, err, ErrNotFound)
	_, err = s.Update(key, second.Revision, content(key, 3, nil))
	assert.ErrorIs(t, err, ErrNotFound)
}

func TestNoOpIsNoWrite(t *testing.T) {
	s := open(Options{})
	key := thing("n", "a")
	first := put(t, s, key, 1, nil)
	w, err := s.Watch(Query{Resource: things}, first.Revision, false)
	require.NoError(t, err)
	defer w.Stop()
	again, err := s.Update(key, first.Revision, content(key, 1, nil))
	require.NoError(t, err)
	assert.Same(t, first, again)
	assert.Equal(t, first.Revision, s.Revision())
	assert.Empty(t, queued(w))
}

func TestContentIsNotKept(t *testing.T) {
	s := open(Options{})
	key := thing("n", "a")
	given := content(key, 1, nil)
	o, err := s.Create(key, given)
	require.NoError(t, err)
	given["value"] = "changed"
	read := o.Content()
	read.Object["value"] = "changed too"
	again, err := s.Get(key)
	require.NoError(t, err)
	assert.Contains(t, string(again.JSON), `"value":"1"`)
	assert.NotContains(t, given["metadata"], "resourceVersion")
}

func TestListIsSorted(t *testing.T) {
	s := open(Options{})
	for _, key := range []Key{thing("b", "a"), thing("a", "c"), thing("a", "b")} {
		put(t, s, key, 1, map[string]string{"in": key.Namespace})
	}
	names := func(q Query) (out []string) {
		found, _ := s.List(q)
		for _, o := range found {
			out = append(out, o.Namespace+"/"+o.Name)
		}
		return out
	}
	assert.Equal(t, []string{"a/b", "a/c", "b/a"}, names(Query{Resource: things}))
	assert.Equal(t, []string{"a/b", "a/c"}, names(Query{Resource: things, Namespace: "a"}))
	assert.Equal(t, []string{"b/a"}, names(Query{Resource: things, Labels: selector("in=b")}))
	assert.Equal(t, []string{"a/c"}, names(Query{Resource: things, Fields: fieldSelector("metadata.name=c")}))
}
