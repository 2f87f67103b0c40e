// Breaks: A token may hold any characters, and the server gets it as it was.
// Caught by: TestTokenWithSigns
// Message: continue=eyJ

//go:build wrong

package paging

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
)

func List(
	ctx context.Context, client *http.Client, collection string, limit int,
) (names []string, resourceVersion string, err error) {
	address, began := collection+"?limit="+strconv.Itoa(limit), false
	for {
		p, err := get(ctx, client, address)
		if expired(err) && began {
			names, address, began = nil, collection, false // whole: a list of one page has no token that expires
			continue
		}
		if err != nil {
			return nil, "", err
		}
		for _, item := range p.Items {
			names = append(names, item.Metadata.Name)
		}
		if p.Metadata.Continue == "" {
			return names, p.Metadata.ResourceVersion, nil
		}
		address, began = collection+"?limit="+strconv.Itoa(limit)+"&continue="+url.PathEscape(p.Metadata.Continue), true
	}
}
