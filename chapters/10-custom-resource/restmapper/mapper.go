package restmapper

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var _ meta.RESTMapper = (*Mapper)(nil)

// Mapper answers from the API server's discovery, one group version at a time, and keeps what it was told. For what it
// does not find there it asks again, once a question: so what is installed while a program runs is found, and what is
// not there costs a request each time. What is removed is still found, and the request that uses it gets a 404.
//
// A group version that can't be asked spoils the questions that it alone could answer, with an error that is no
// [meta.IsNoMatchError]: nobody knows whether the kind is there. All methods are safe for concurrent use.
//
// Upstream: apiutil.NewDynamicRESTMapper, in sigs.k8s.io/controller-runtime/pkg/client/apiutil/restmapper.go.
type Mapper struct {
	discovery discovery
	clock     clock
	versions  answer[[]schema.GroupVersion]

	mutex  sync.Mutex // guards what is below it
	tables map[schema.GroupVersion]*answer[*table]
}

// New makes a mapper that asks a server, "https://127.0.0.1:6443", when it has to. A client's Timeout is how long a
// group version can keep a question waiting.
func New(client *http.Client, server string) *Mapper {
	m := &Mapper{discovery: discovery{client, strings.TrimSuffix(server, "/")},
		tables: map[schema.GroupVersion]*answer[*table]{}}
	m.versions.ask, m.versions.clock = m.discovery.versions, &m.clock
	return m
}

// find looks into the tables that a question is about, in the server's order of preference: first as they are known,
// then, if it is in none of them, no older than the question. It finds nothing, and no error, if it is not there.
func find[T any](m *Mapper, q question, look func(*table) []T) (found []T, err error) {
	came := m.clock.now()
	for _, oldest := range []int64{0, came} {
		var tables []*table
		tables, err = m.ask(q, oldest, came)
		for _, t := range tables {
			found = append(found, look(t)...)
		}
		if len(found) > 0 {
			return found, nil
		}
	}
	return nil, err
}

// ask returns the tables that can answer a question, as far as they can be had, and what went wrong with the others.
func (m *Mapper) ask(q question, oldest, came int64) (tables []*table, err error) {
	var versions []schema.GroupVersion
	if gv, one := q.only(); one {
		versions = append(versions, gv)
	} else if versions, err = m.versions.get(oldest, came); err != nil {
		return nil, fmt.Errorf("which group versions there are: %w", err)
	}
	var wrong []error
	for _, gv := range versions {
		if !q.concerns(gv) {
			continue
		}
		t, err := m.table(gv, oldest, came)
		switch {
		case err != nil:
			wrong = append(wrong, fmt.Errorf("what %s serves: %w", gv, err))
		case t != nil:
			tables = append(tables, t)
		}
	}
	return tables, errors.Join(wrong...)
}

// table is what a group version serves, nil if there is no such group version. That is not kept longer than a
// question's second look: a program that is asked for many that are not there would keep them all.
func (m *Mapper) table(gv schema.GroupVersion, oldest, came int64) (*table, error) {
	m.mutex.Lock()
	known := m.tables[gv]
	if known == nil {
		known = &answer[*table]{clock: &m.clock, ask: func() (*table, error) { return m.discovery.table(gv) }}
		m.tables[gv] = known
	}
	m.mutex.Unlock()
	t, err := known.get(oldest, came)
	if err == nil && t == nil && oldest == came {
		m.mutex.Lock()
		defer m.mutex.Unlock()
		if m.tables[gv] == known {
			delete(m.tables, gv)
		}
	}
	return t, err
}
