package scripted

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"
)

const configMaps = "http://memory/api/v1/namespaces/default/configmaps"

// write changes one object.
func (w *World) write() {
	name := fmt.Sprint("cm-", w.draw.IntN(w.options.Names))
	_, exists := w.objects[name]
	switch {
	case !exists:
		w.send(http.MethodPost, "", name)
	case w.draw.IntN(3) == 0:
		w.send(http.MethodDelete, "/"+name, name)
	default:
		w.send(http.MethodPut, "/"+name, name)
	}
}

// recreate deletes an object, and creates one under its name.
func (w *World) recreate() {
	names := slices.Sorted(maps.Keys(w.objects))
	if len(names) == 0 {
		return
	}
	name := names[w.draw.IntN(len(names))]
	w.send(http.MethodDelete, "/"+name, name)
	w.send(http.MethodPost, "", name)
}

// send makes one change, and looks what the collection is after it.
func (w *World) send(method, path, name string) {
	body := fmt.Sprintf(`{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":%q},"data":{"n":"%d"}}`,
		name, w.draw.IntN(1000))
	w.ask(method, path, body, nil)
	var list struct {
		Metadata struct{ ResourceVersion string }
		Items    []struct {
			Metadata struct{ Name, UID, ResourceVersion string }
		}
	}
	w.ask(http.MethodGet, "", "", &list)
	version, err := strconv.ParseUint(list.Metadata.ResourceVersion, 10, 64)
	require.NoError(w.t, err)
	w.version = version
	clear(w.objects)
	for _, item := range list.Items {
		w.objects[item.Metadata.Name] = Object{item.Metadata.ResourceVersion, w.Alias(item.Metadata.UID)}
	}
}

// ask sends a request past the proxy.
func (w *World) ask(method, path, body string, into any) {
	r, err := http.NewRequest(method, configMaps+path, strings.NewReader(body))
	require.NoError(w.t, err)
	r.Header.Set("Content-Type", "application/json")
	answer, err := w.server.RoundTrip(r)
	require.NoError(w.t, err)
	defer answer.Body.Close()
	require.Less(w.t, answer.StatusCode, 300, "%s %s", method, path)
	if into != nil {
		require.NoError(w.t, json.NewDecoder(answer.Body).Decode(into))
	}
}

// Alias is a short name for a UID: UIDs are drawn at random, and these are numbered as they appear.
func (w *World) Alias(uid string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.aliases[uid] == "" {
		w.aliases[uid] = fmt.Sprint("uid-", len(w.aliases)+1)
	}
	return w.aliases[uid]
}
