package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"k8s.io/client-go/discovery"
)

// series is one series as a program serves it.
type series struct {
	family string
	labels map[string]string
	// value is a counter's, or the sum of a histogram; buckets are a histogram's.
	value   float64
	buckets []bucket
}

// bucket counts what is not larger than its bound.
type bucket struct{ bound, count float64 }

// scrape is everything that a program served at a moment.
type scrape []series

// sum adds the series of a counter.
func (s scrape) sum(family string) float64 {
	total := 0.0
	for _, one := range s {
		if one.family == family {
			total += one.value
		}
	}
	return total
}

// count adds the series of a counter that have a label.
func (s scrape) count(family, label, value string) float64 {
	total := 0.0
	for _, one := range s {
		if one.family == family && one.labels[label] == value {
			total += one.value
		}
	}
	return total
}

// together adds the buckets of all histograms of a family. A name, when given, is
// that of the queue they belong to.
func (s scrape) together(family, name string) []bucket {
	var out []bucket
	for _, one := range s {
		if one.family != family || name != "" && one.labels["name"] != name {
			continue
		}
		if out == nil {
			out = make([]bucket, len(one.buckets))
		}
		for i, b := range one.buckets {
			out[i].bound, out[i].count = b.bound, out[i].count+b.count
		}
	}
	return out
}

// local reads from programs on this machine, whose certificates are their own.
var local = &http.Client{
	Timeout:   time.Minute,
	Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}},
}

// scrapeURL reads what a program serves.
func scrapeURL(ctx context.Context, url string) (scrape, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	response, err := local.Do(request)
	if err != nil {
		return nil, fmt.Errorf("reading metrics: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("reading metrics: %s answers %s", url, response.Status)
	}
	return parse(response.Body)
}

func parse(text io.Reader) (scrape, error) {
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(text)
	if err != nil {
		return nil, fmt.Errorf("parsing metrics: %w", err)
	}
	var out scrape
	for name, family := range families {
		for _, m := range family.GetMetric() {
			one := series{family: name, labels: map[string]string{}, value: m.GetCounter().GetValue() + m.GetHistogram().GetSampleSum()}
			for _, label := range m.GetLabel() {
				one.labels[label.GetName()] = label.GetValue()
			}
			for _, b := range m.GetHistogram().GetBucket() {
				one.buckets = append(one.buckets, bucket{b.GetUpperBound(), float64(b.GetCumulativeCount())})
			}
			out = append(out, one)
		}
	}
	return out, nil
}

// served is how many requests the API server has served so far.
func (p *plane) served(ctx context.Context) (float64, error) {
	api, err := discovery.NewDiscoveryClientForConfig(p.Config)
	if err != nil {
		return 0, err
	}
	text, err := api.RESTClient().Get().AbsPath("/metrics").DoRaw(ctx)
	if err != nil {
		return 0, fmt.Errorf("reading the API server's metrics: %w", err)
	}
	all, err := parse(bytes.NewReader(text))
	return all.sum("apiserver_request_total"), err
}
