// Misconception: a token can be put into the URL as it is.
// Caught by: TestTokenWithSigns
// Message: the belief that a token is made of letters

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
	q := url.Values{"limit": {strconv.Itoa(limit)}}
	more := ""
	for {
		p, err := get(ctx, client, collection+"?limit="+q.Get("limit")+more)
		if expired(err) && q.Has("continue") {
			names, q = nil, url.Values{} // whole: a list of one page has no token that expires
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
		q.Set("continue", "")
		more = "&continue=" + p.Metadata.Continue
	}
}
